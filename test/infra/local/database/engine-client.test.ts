import { type DynamoDBDocumentClient, GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engineClient } from '#infra/local/database/engine-client.ts';
import { freePort } from '#infra/local/process/free-port.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { openScriptedServer, type ScriptedServer } from '#test/support/servers/scripted-server.ts';
import { openSilentServer } from '#test/support/servers/silent-server.ts';

let engine: ScriptedServer;
beforeEach(async () => {
  engine = await openScriptedServer();
});
afterEach(() => engine.close());

const plainClient = (dynamodbEndpoint: string) => documentClient({ dynamodbEndpoint, region: 'us-east-1' });
const ownClient = (endpoint: string) => engineClient(endpoint, 'us-east-1');

const key = { pk: 'a', sk: 'b' };
const transaction = () =>
  // This item contains the text that the client removes.
  new TransactWriteCommand({ TransactItems: [{ Put: { TableName: 'any', Item: { ...key, text: TOKEN } } }] });
const TOKEN = ',"ClientRequestToken":"';
const sent = {
  TransactItems: [{ Put: { TableName: 'any', Item: { pk: { S: 'a' }, sk: { S: 'b' }, text: { S: TOKEN } } } }],
};

const bodies = () => engine.requests.map(({ body }) => body);

describe('a transaction sent to the local database engine, compared with DynamoDB itself,', () => {
  it('has no client request token, which the engine does not support', async () => {
    engine.answer({}, {});
    await ownClient(engine.url).send(transaction());
    await plainClient(engine.url).send(transaction());
    expect(bodies()).toEqual([sent, { ...sent, ClientRequestToken: expect.stringMatching(/^[-0-9a-f]{36}$/) }]);
    const length = String(Buffer.byteLength(JSON.stringify(sent)));
    expect(engine.requests[0]?.headers['content-length']).toBe(length);
  });

  it('is not sent again after a lost reply, because without a token the engine would apply it twice', async () => {
    engine.answer('drop', {});
    await expect(ownClient(engine.url).send(transaction())).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(bodies()).toEqual([sent]);
  });

  it('is sent again with the same token to DynamoDB after a lost reply', async () => {
    engine.answer('drop', {});
    await plainClient(engine.url).send(transaction());
    const [first, second] = bodies();
    expect(second).toEqual(first);
    expect(first).toEqual({ ...sent, ClientRequestToken: expect.any(String) });
  });
});

it('calls other than transactions are sent to the local database engine unchanged', async () => {
  engine.answer({}, { body: { Item: { pk: { S: 'a' }, sk: { S: 'b' }, count: { N: '1' } } } });
  const client = ownClient(engine.url);
  await client.send(new PutCommand({ TableName: 'any', Item: { ...key, text: TOKEN } }));
  const { Item } = await client.send(new GetCommand({ TableName: 'any', Key: key }));
  expect(bodies()).toEqual([
    { TableName: 'any', Item: { pk: { S: 'a' }, sk: { S: 'b' }, text: { S: TOKEN } } },
    { TableName: 'any', Key: { pk: { S: 'a' }, sk: { S: 'b' } } },
  ]);
  expect(Item).toEqual({ ...key, count: 1 });
});

const read = (client: DynamoDBDocumentClient, abortSignal?: AbortSignal) =>
  client.send(new GetCommand({ TableName: 'any', Key: key }), { abortSignal });

describe.each([
  ['the engine', ownClient],
  ['any other endpoint', plainClient],
])('the database client for %s', (_, clientOf) => {
  it('reports an error that DynamoDB returns', async () => {
    const body = { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', message: 'No table' };
    engine.answer({ status: 400, body });
    await expect(read(clientOf(engine.url))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'No table',
    });
  });

  it('reports if nothing listens at the address', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    await expect(read(clientOf(nobody))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('aborts a call at its deadline, and refuses further calls', async () => {
    const silent = await openSilentServer();
    const deadline = new AbortController();
    const client = clientOf(silent.url);
    const waiting = read(client, deadline.signal);
    deadline.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(read(client, deadline.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await silent.close();
  });
});

// Both clients run in parallel, because they wait for their deadlines.
it('both database clients abort a call that is not answered', { tags: ['deep'] }, async () => {
  const silent = await openSilentServer();
  const calls = [ownClient, plainClient].map((clientOf) => read(clientOf(silent.url)));
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ name: 'TimeoutError' })));
  await silent.close();
});

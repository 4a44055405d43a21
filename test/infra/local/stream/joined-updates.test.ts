import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { engineClient } from '#infra/local/database/engine-client.ts';
import { joinUpdates } from '#infra/local/stream/joined-updates.ts';
import { openScriptedServer, type ScriptedServer } from '#test/support/servers/scripted-server.ts';

let engine: ScriptedServer;
beforeEach(async () => {
  engine = await openScriptedServer();
});
afterEach(() => engine.close());

const input = (pk: string, ReturnValues: UpdateCommandInput['ReturnValues'] = 'NONE') => ({
  TableName: 'any',
  Key: { pk },
  UpdateExpression: 'ADD #sales :one',
  ConditionExpression: '#version = :one',
  ExpressionAttributeNames: { '#sales': 'sales', '#version': 'version' },
  ExpressionAttributeValues: { ':one': 1 },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  ReturnValues,
});

/** What the engine gets of an update in a transaction, and of one that is sent singly. */
function joined(pk: string) {
  const { ReturnValues: _, ...update } = input(pk);
  return { Update: { ...update, Key: { pk: { S: pk } }, ExpressionAttributeValues: { ':one': { N: '1' } } } };
}
const single = (pk: string, returned?: 'UPDATED_NEW') => ({
  ...joined(pk).Update,
  ReturnValues: returned ?? 'NONE',
});

function sendAll(inputs: readonly UpdateCommandInput[]) {
  const client = engineClient(engine.url, 'us-east-1', 1);
  joinUpdates(client);
  return Promise.allSettled(inputs.map((one) => client.send(new UpdateCommand(one))));
}
const sent = () => engine.requests.map(({ headers, body }) => [String(headers['x-amz-target']).split('.')[1], body]);

it('updates of one moment whose reply no one reads go to the local engine in transactions of four', async () => {
  engine.answer({}, {}, {});
  const outcomes = await sendAll(['a', 'b', 'c', 'd', 'e', 'f'].map((pk) => input(pk)));
  expect(sent()).toEqual([
    ['TransactWriteItems', { TransactItems: ['a', 'b', 'c', 'd'].map(joined) }],
    ['TransactWriteItems', { TransactItems: ['e', 'f'].map(joined) }],
  ]);
  expect(outcomes).toEqual(outcomes.map(() => ({ status: 'fulfilled', value: { $metadata: {} } })));
});

it('updates whose reply is read, and one that is alone, are sent to the local engine singly', async () => {
  engine.answer({ body: { Attributes: { sales: { N: '2' } } } }, {});
  const outcomes = await sendAll([input('a', 'UPDATED_NEW'), input('b')]);
  expect(sent()).toEqual([
    ['UpdateItem', single('a', 'UPDATED_NEW')],
    ['UpdateItem', single('b')],
  ]);
  expect(outcomes).toMatchObject([{ value: { Attributes: { sales: 2 } } }, { status: 'fulfilled' }]);
});

const type = (name: string) => `com.amazonaws.dynamodb.v20120810#${name}`;

it('if the local engine refuses a transaction, each of its updates succeeds or fails by itself', async () => {
  const stored = { pk: { S: 'b' }, version: { N: '7' } };
  engine.answer(
    {
      status: 400,
      body: {
        __type: type('TransactionCanceledException'),
        CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: stored }],
      },
    },
    {},
    { status: 400, body: { __type: type('ConditionalCheckFailedException'), Item: stored } },
  );
  const outcomes = await sendAll([input('a'), input('b')]);
  expect(sent()).toEqual([
    ['TransactWriteItems', { TransactItems: ['a', 'b'].map(joined) }],
    ['UpdateItem', single('a')],
    ['UpdateItem', single('b')],
  ]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { reason: { name: 'ConditionalCheckFailedException', Item: stored } },
  ]);
});

it('if the reply to a transaction of updates is lost, all of them fail and none is sent again', async () => {
  engine.answer('drop');
  const outcomes = await sendAll([input('a'), input('b')]);
  expect(sent()).toEqual([['TransactWriteItems', { TransactItems: ['a', 'b'].map(joined) }]]);
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'UND_ERR_SOCKET' } },
    { status: 'rejected', reason: { code: 'UND_ERR_SOCKET' } },
  ]);
});

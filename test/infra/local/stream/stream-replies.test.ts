import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openStream } from '#infra/local/stream/stream-records.ts';

interface Call {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}
type Answer = (call: Call) => readonly [status: number, body: object];

const ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/2026-01-01T00:00:00.000';
const calls: Call[] = [];
let answer: Answer;

/** Speaks the protocol of DynamoDB Streams. */
async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const operation = String(request.headers['x-amz-target']).split('.')[1]!;
  const call = { operation, input: (await json(request)) as Call['input'] };
  calls.push(call);
  const [status, body] = answer(call);
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
}
const server = createServer((request, response) => void reply(request, response));
let endpoint: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void calls.splice(0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = () => openStream(ARN, { endpoint, region: 'us-east-1', offsetMs: () => 1_500 });

it('a record of the local stream has the form that Lambda passes on: values unchanged, time in seconds', async () => {
  const NewImage = { pk: { S: 'x' }, cents: { N: '1.5' }, bytes: { B: 'AAE=' }, list: { L: [{ NULL: true }] } };
  const sent = {
    eventID: 'e',
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: '7',
      Keys: { pk: { S: 'x' } },
      NewImage,
      ApproximateCreationDateTime: 1_700_000_000.25,
    },
  };
  answer = ({ operation }) =>
    operation === 'GetRecords'
      ? [200, { Records: [sent], NextShardIterator: undefined }]
      : [200, { ShardIterator: 'first', StreamDescription: { Shards: [{ ShardId: 'shard' }] } }];
  const stream = open();
  expect(await stream.shardIds()).toEqual(['shard']);
  const shard = await stream.open('shard', undefined);
  expect(await shard.next()).toEqual([
    { ...sent, eventSourceARN: ARN, dynamodb: { ...sent.dynamodb, ApproximateCreationDateTime: 1_700_000_001.75 } },
  ]);
  expect(await shard.next()).toBeUndefined();
});

it('the local stream begins with the oldest record if the records after its position no longer exist', async () => {
  answer = ({ input }) =>
    input.ShardIteratorType === 'TRIM_HORIZON'
      ? [200, { ShardIterator: 'oldest' }]
      : [400, { __type: 'com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException', message: 'Gone' }];
  await open().open('shard', '7');
  expect(calls.map(({ operation, input }) => [operation, input.ShardIteratorType])).toEqual([
    ['GetShardIterator', 'AFTER_SEQUENCE_NUMBER'],
    ['GetShardIterator', 'TRIM_HORIZON'],
  ]);
});

it('the error ResourceNotFoundException of the local stream is thrown with its name and message', async () => {
  answer = () => [400, { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', message: 'No stream' }];
  await expect(open().open('shard', '7')).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'No stream',
  });
});

it('a call to the local stream is repeated if it is answered 500', async () => {
  answer = () => (calls.length === 1 ? [500, { __type: 'InternalServerError' }] : [200, { ShardIterator: 'oldest' }]);
  await open().open('shard', undefined);
  expect(calls).toHaveLength(2);
});

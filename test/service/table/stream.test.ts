// oxlint-disable vitest/no-standalone-expect -- one test is chosen by the engine
import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { beforeEach, expect, it } from 'vitest';
import { streamArnOf } from '#infra/local/database/create-table.ts';
import { openStream, PAGE_RECORDS } from '#infra/local/stream/stream-records.ts';
import { engine } from '#test/service/table/cases.ts';
import { createTestTable, testClient } from '#test/support/table/create-table.ts';

let TableName: string;
beforeEach(async () => {
  TableName = await createTestTable();
});

const open = async () =>
  openStream(await streamArnOf(testClient, TableName), {
    endpoint: process.env.DYNAMODB_ENDPOINT!,
    region: 'us-east-1',
  });

async function streamed(after?: string): Promise<DynamoDBRecord[]> {
  const stream = await open();
  const [shardId] = await stream.shardIds();
  const shard = await stream.open(shardId!, after);
  const records: DynamoDBRecord[] = [];
  for (let page = await shard.next(); page && page.length > 0; page = await shard.next()) records.push(...page);
  return records;
}

const put = (sk: string, more: object = {}) =>
  testClient.send(new PutCommand({ TableName, Item: { pk: 'p', sk, ...more } }));
const told = ({ eventName, dynamodb }: DynamoDBRecord) => [
  eventName,
  dynamodb?.Keys?.sk?.S,
  dynamodb?.OldImage?.n?.N,
  dynamodb?.NewImage?.n?.N,
];

it('the table’s stream has a record with old and new image for each item that is inserted, changed or deleted', async () => {
  await put('a', { n: 1 });
  await testClient.send(
    new UpdateCommand({
      TableName,
      Key: { pk: 'p', sk: 'a' },
      UpdateExpression: 'SET n = :v',
      ExpressionAttributeValues: { ':v': 2 },
    }),
  );
  await testClient.send(new DeleteCommand({ TableName, Key: { pk: 'p', sk: 'a' } }));
  const records = await streamed();
  expect(records.map(told)).toEqual([
    ['INSERT', 'a', undefined, '1'],
    ['MODIFY', 'a', '1', '2'],
    ['REMOVE', 'a', '2', undefined],
  ]);
  expect(records[0]).toMatchObject({
    eventSource: 'aws:dynamodb',
    dynamodb: {
      Keys: { pk: { S: 'p' }, sk: { S: 'a' } },
      NewImage: { pk: { S: 'p' }, sk: { S: 'a' }, n: { N: '1' } },
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  });
  expect(records[0]!.dynamodb).not.toHaveProperty('OldImage');
});

// The embedded engine records a write that changes nothing, with two equal images.
(engine === 'embedded' ? it.fails : it)('has no record of a write that changes nothing', async () => {
  await put('a', { n: 1 });
  await put('a', { n: 1 });
  await testClient.send(new DeleteCommand({ TableName, Key: { pk: 'p', sk: 'none' } }));
  expect((await streamed()).map(told)).toEqual([['INSERT', 'a', undefined, '1']]);
});

it('the table’s stream has a record for each item of a transaction or batch, and none for a cancelled transaction', async () => {
  const Put = (sk: string) => ({
    Put: { TableName, Item: { pk: 'p', sk }, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  await testClient.send(new TransactWriteCommand({ TransactItems: [Put('a'), Put('b')] }));
  await testClient.send(new TransactWriteCommand({ TransactItems: [Put('a'), Put('c')] })).catch(() => undefined);
  await testClient.send(
    new BatchWriteCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: { pk: 'p', sk: 'd' } } }] } }),
  );
  const keys = (await streamed()).map((record) => told(record)[1]);
  expect([keys.slice(0, 2).map(String).toSorted(), keys.slice(2)]).toEqual([['a', 'b'], ['d']]);
});

it('the table’s stream can be read from any record on', async () => {
  for (const sk of ['a', 'b', 'c']) await put(sk);
  const records = await streamed();
  const after = records[0]!.dynamodb!.SequenceNumber!;
  expect((await streamed(after)).map((record) => told(record)[1])).toEqual(['b', 'c']);
  const numbers = records.map(({ dynamodb }) => BigInt(dynamodb!.SequenceNumber!));
  expect(numbers.toSorted((a, b) => Number(a - b))).toEqual(numbers);
});

it('the table’s stream is read in pages, and the last page may be empty', async () => {
  for (let at = 0; at < PAGE_RECORDS + 1; at++) await put(`${at}`);
  const stream = await open();
  const shard = await stream.open((await stream.shardIds())[0]!, undefined);
  const lengths = [await shard.next(), await shard.next(), await shard.next()].map((page) => page?.length);
  expect(lengths).toEqual([PAGE_RECORDS, 1, 0]);
});

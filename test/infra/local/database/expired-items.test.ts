import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { deleteExpiredItems } from '#infra/local/database/expired-items.ts';
import { createTestTable, testClient } from '#test/support/table/create-table.ts';

const now = new Date('2026-11-20T15:00:00.900Z');
const nowSeconds = Date.parse('2026-11-20T15:00:00.000Z') / 1000;
let tableName: string;

const put = (name: string, attributes = {}) =>
  testClient.send(new PutCommand({ TableName: tableName, Item: { pk: name, sk: name, ...attributes } }));

async function namesLeft(): Promise<string[]> {
  const { Items = [] } = await testClient.send(new ScanCommand({ TableName: tableName }));
  return Items.map(({ pk }) => String(pk)).toSorted();
}

beforeEach(async () => {
  tableName = await createTestTable();
});

it('deleteExpiredItems deletes expired items, and no others', async () => {
  await put('expired', { expires_at: nowSeconds - 1 });
  await put('expires now', { expires_at: nowSeconds });
  await put('expires later', { expires_at: nowSeconds + 1 });
  await put('never expires');
  expect(await deleteExpiredItems(testClient, tableName, now)).toBeUndefined();
  expect(await namesLeft()).toEqual(['expires later', 'never expires']);
});

it('deleteExpiredItems reads one page per call, and continues where the former call ended', async () => {
  const padding = 'x'.repeat(390_000);
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(name, { expires_at: nowSeconds - 1, padding })));
  const position = await deleteExpiredItems(testClient, tableName, now);
  expect(position).toBeDefined();
  const leftAfterOnePage = await namesLeft();
  expect(leftAfterOnePage.length).toBeGreaterThan(0);
  expect(leftAfterOnePage.length).toBeLessThan(4);
  await deleteExpiredItems(testClient, tableName, now, position);
  expect(await namesLeft()).toEqual([]);
});

it('deleteExpiredItems reads at most a thousand items per call', { tags: ['deep'] }, async () => {
  await Promise.all(Array.from({ length: 1_001 }, (_, n) => put(`item ${n}`, { expires_at: nowSeconds - 1 })));
  const position = await deleteExpiredItems(testClient, tableName, now);
  expect(await namesLeft()).toHaveLength(1);
  await deleteExpiredItems(testClient, tableName, now, position);
  expect(await namesLeft()).toEqual([]);
});

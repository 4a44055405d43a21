import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sweepInSteps } from '#infra/local/stream/sweep.ts';
import { createTestTable, testClient } from '#test/support/table/create-table.ts';

const now = Date.parse('2026-11-20T15:00:00.000Z');
let tableName: string;
let endSweep: (() => void) | undefined;

const put = (name: string, expiresAt: number) =>
  testClient.send(new PutCommand({ TableName: tableName, Item: { pk: name, sk: name, expires_at: expiresAt } }));
async function namesLeft(): Promise<string[]> {
  const { Items = [] } = await testClient.send(new ScanCommand({ TableName: tableName }));
  return Items.map(({ pk }) => String(pk)).toSorted();
}

beforeEach(async () => {
  tableName = await createTestTable();
});
afterEach(() => {
  endSweep?.();
  vi.restoreAllMocks();
});

it('a local run regularly deletes items that have expired by the service’s clock', async () => {
  const clock = { now: () => now };
  await put('expired', now / 1_000);
  await put('expires later', now / 1_000 + 60);
  endSweep = sweepInSteps(testClient, tableName, clock, 1);
  await vi.waitFor(async () => expect(await namesLeft()).toEqual(['expires later']), { timeout: 10_000 });
  clock.now = () => now + 60_000;
  await vi.waitFor(async () => expect(await namesLeft()).toEqual([]), { timeout: 10_000 });
});

it('if the deletion of expired items fails, the error is printed and the deletion is tried again', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await put('expired', now / 1_000);
  let isBroken = true;
  const clock = {
    now: () => {
      if (isBroken) throw new Error('no time');
      return now;
    },
  };
  endSweep = sweepInSteps(testClient, tableName, clock, 1);
  await vi.waitFor(() => expect(said).toHaveBeenCalledWith('Expired items stay:', new Error('no time')));
  isBroken = false;
  await vi.waitFor(async () => expect(await namesLeft()).toEqual([]), { timeout: 10_000 });
});

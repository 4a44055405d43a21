import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MOST_ATTEMPTS } from '#lib/service/ground/table/backoff.ts';
import { Reads } from '#lib/service/ground/table/reads.ts';

const NOW = new Date('2026-11-20T15:00:00.500Z');
const NOW_SECONDS = Math.floor(NOW.getTime() / 1000);
const key = (name: string) => ({ pk: name, sk: name });
const item = (name: string) => ({ ...key(name), name });

const client = mockClient(DynamoDBDocumentClient);
afterAll(() => client.restore());
const openReads = () => new Reads({ send: client.send } as unknown as DynamoDBDocumentClient, 'table', NOW);
const answer = (names: readonly string[], unprocessed: readonly string[] = []) => ({
  Responses: { table: names.map(item) },
  ...(unprocessed.length > 0 && { UnprocessedKeys: { table: { Keys: unprocessed.map(key) } } }),
});
const sentKeys = () =>
  client.commandCalls(BatchGetCommand).map(({ args: [{ input }] }) => {
    expect(input.RequestItems?.table?.ConsistentRead).toBe(true);
    return input.RequestItems?.table?.Keys?.map(({ pk }) => pk as string);
  });

beforeEach(() => {
  client.reset();
  // Removes the wait between two attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('reads that are started together and sent in one call', () => {
  it('are all those started before the event loop turns; each key is sent once', async () => {
    client.on(BatchGetCommand).resolves(answer(['a', 'c']));
    const reads = openReads();
    const late = Promise.resolve().then(() => Promise.all([reads.get(key('c')), reads.get(key('a'))]));
    const found = await Promise.all([reads.get(key('a')), reads.get(key('b')), reads.get(key('a')), late]);
    expect(found).toEqual([item('a'), undefined, item('a'), [item('c'), item('a')]]);
    expect(sentKeys()).toEqual([['a', 'b', 'c']]);
  });

  it('are at most a hundred; further reads are sent in parallel calls', async () => {
    const names = Array.from({ length: 201 }, (_, index) => `item-${index}`);
    client.on(BatchGetCommand).callsFake(({ RequestItems }) => ({ Responses: { table: RequestItems.table.Keys } }));
    const reads = openReads();
    expect(await Promise.all(names.map((name) => reads.get(key(name))))).toEqual(names.map(key));
    expect(sentKeys().map((sent) => sent?.length)).toEqual([100, 100, 1]);
  });

  it('are distinguished even if their partition key and sort key, joined by a comma, are the same text', async () => {
    client.on(BatchGetCommand).resolves({ Responses: { table: [{ pk: 'a', sk: 'b,c', name: 'one' }] } });
    const reads = openReads();
    const found = await Promise.all([reads.get({ pk: 'a', sk: 'b,c' }), reads.get({ pk: 'a,b', sk: 'c' })]);
    expect(found).toEqual([{ pk: 'a', sk: 'b,c', name: 'one' }, undefined]);
  });
});

describe('a read whose result is cached', () => {
  it('is not sent again, even if the item does not exist', async () => {
    client.on(BatchGetCommand).resolves(answer(['a']));
    const reads = openReads();
    await Promise.all([reads.get(key('a')), reads.get(key('b'))]);
    expect(await Promise.all([reads.get(key('a')), reads.get(key('b'))])).toEqual([item('a'), undefined]);
    expect(sentKeys()).toHaveLength(1);
  });

  it('is sent again after forget()', async () => {
    client
      .on(BatchGetCommand)
      .resolvesOnce(answer([]))
      .resolvesOnce(answer(['a']));
    const reads = openReads();
    expect(await reads.get(key('a'))).toBeUndefined();
    reads.forget();
    expect(await reads.get(key('a'))).toEqual(item('a'));
  });

  it('still returns its result if forget() is called before the result arrives', async () => {
    client.on(BatchGetCommand).resolves(answer(['a']));
    const reads = openReads();
    const before = reads.get(key('a'));
    reads.forget();
    expect(await Promise.all([before, reads.get(key('a'))])).toEqual([item('a'), item('a')]);
    expect(sentKeys()).toEqual([['a']]);
  });
});

describe('keys that DynamoDB leaves unprocessed', () => {
  it('are requested again without the others', async () => {
    client
      .on(BatchGetCommand)
      .resolvesOnce(answer(['a'], ['b', 'c']))
      .resolvesOnce(answer(['c'], ['b']))
      .resolvesOnce(answer(['b']));
    const reads = openReads();
    const found = await Promise.all(['a', 'b', 'c'].map((name) => reads.get(key(name))));
    expect(found).toEqual([item('a'), item('b'), item('c')]);
    expect(sentKeys()).toEqual([['a', 'b', 'c'], ['b', 'c'], ['b']]);
  });

  it('cause an error after all attempts, and never count as items that do not exist', async () => {
    client.on(BatchGetCommand).resolves(answer(['a'], ['b']));
    const reads = openReads();
    const [a, b] = await Promise.allSettled([reads.get(key('a')), reads.get(key('b'))]);
    const failed = { status: 'rejected', reason: new Error('The table left keys unread after every attempt') };
    expect([a, b]).toEqual([failed, failed]);
    expect(sentKeys()).toHaveLength(MOST_ATTEMPTS);
  });
});

it('if a call for several reads fails, all of them fail; reads after forget() succeed', async () => {
  client
    .on(BatchGetCommand)
    .rejectsOnce(new Error('lost'))
    .resolvesOnce(answer(['a']));
  const reads = openReads();
  const outcomes = await Promise.allSettled([reads.get(key('a')), reads.get(key('b'))]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  reads.forget();
  expect(await reads.get(key('a'))).toEqual(item('a'));
});

it('if a read fails whose result no code awaits, the process continues', async () => {
  client.on(BatchGetCommand).rejectsOnce(new Error('lost')).resolves(answer([]));
  const reads = openReads();
  void reads.get(key('a'));
  await new Promise(setImmediate);
  expect(await reads.get(key('b'))).toBeUndefined();
});

it.each([
  ['expired an hour ago', NOW_SECONDS - 3_600, false],
  ['expires in this second', NOW_SECONDS, false],
  ['expires in the next second', NOW_SECONDS + 1, true],
])('a read of an item that %s (at %s) returns the item: %s', async (_, expiresAtSeconds, isPresent) => {
  const stored = { ...item('a'), expires_at: expiresAtSeconds };
  client.on(BatchGetCommand).resolves({ Responses: { table: [stored] } });
  expect(await openReads().get(key('a'))).toEqual(isPresent ? stored : undefined);
});

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { MOST_ATTEMPTS } from '#lib/service/ground/table/backoff.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write, WriteRejected } from '#lib/service/ground/table/writes.ts';
import { createTestTable } from '#test/support/table/create-table.ts';
import { withShortPages } from '#test/support/table/faults.ts';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const client = documentClient({ dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT, region: 'us-east-1' });

let tableName: string;
beforeAll(async () => {
  tableName = await createTestTable(client);
});

/** The table as seen by a separate request. */
const open = () => new Table(client, tableName, NOW);
let keyCount = 0;
const freshKey = () => ({ pk: `item-${++keyCount}`, sk: 'a' });
const failureOf = async (write: Promise<unknown>) => write.then(() => undefined).catch((error: unknown) => error);

describe('query, on the table,', () => {
  it('returns a partition in the order of the sort key, up to a limit', async () => {
    const { pk } = freshKey();
    for (const sk of ['c', 'a', 'b']) await open().put({ pk, sk }, { name: sk });
    expect(await open().query(pk, { most: 2 })).toEqual([
      { pk, sk: 'a', name: 'a' },
      { pk, sk: 'b', name: 'b' },
    ]);
    expect(await open().query('nothing', { most: 2 })).toEqual([]);
  });

  it('returns nothing after a position outside of the prefix, which a caller may have forged', async () => {
    const { pk } = freshKey();
    for (const sk of ['a', 'b#1', 'b#2', 'c']) await open().put({ pk, sk }, {});
    expect(await open().query(pk, { prefix: 'b#', after: 'b#1' })).toEqual([{ pk, sk: 'b#2' }]);
    for (const after of ['a', 'b', 'c']) expect(await open().query(pk, { prefix: 'b#', after })).toEqual([]);
  });
});

describe('range, on the table,', () => {
  it('returns items between two sort keys, both inclusive, over any number of pages', async () => {
    const { pk } = freshKey();
    const text = 'x'.repeat(390_000);
    for (const sk of ['a', 'b', 'c', 'd', 'e']) await open().put({ pk, sk }, { text });
    const found = await open().range<{ sk: string }>(pk, 'b', 'e');
    expect(found.map(({ sk }) => sk)).toEqual(['b', 'c', 'd', 'e']);
    expect(await open().range(pk, 'f', '~')).toEqual([]);
  });
});

describe('list, on the table,', () => {
  it('begins after a given position, whether an item still has that position or not', async () => {
    const list = `LIST#${crypto.randomUUID()}`;
    const positions = ['a1', 'b1', 'b2', 'b3', 'b4', 'c1'];
    for (const gsi1sk of positions) await open().put(freshKey(), { gsi1pk: list, gsi1sk });
    const listed = async (request: object) => {
      const { entries, next } = await open().list(list, { most: 2, newestFirst: true, ...request });
      return [...entries.map(({ position }) => position), next];
    };
    expect(await listed({ downTo: 'b' })).toEqual(['c1', 'b4', 'b4']);
    expect(await listed({ downTo: 'b', after: 'b4' })).toEqual(['b3', 'b2', 'b2']);
    expect(await listed({ downTo: 'b', after: 'b5' })).toEqual(['b4', 'b3', 'b3']);
    expect(await listed({ downTo: 'b', after: 'b2' })).toEqual(['b1', undefined]);
    expect(await listed({ downTo: 'b', after: 'b' })).toEqual([undefined]);
    expect(await listed({ downTo: 'b', after: 'a1' })).toEqual([undefined]);
    expect(await listed({ after: 'b1' })).toEqual(['a1', undefined]);
  });

  it.each([{ newestFirst: false }, { newestFirst: true }, { newestFirst: true, downTo: 'a' }])(
    'returns as many items as requested, even if DynamoDB returns short pages: %j',
    async (range) => {
      const list = `LIST#${crypto.randomUUID()}`;
      const positions = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'];
      for (const gsi1sk of positions) await open().put(freshKey(), { gsi1pk: list, gsi1sk });
      const [first, rest] = await withShortPages(async () => {
        const some = await open().list(list, { most: 4, ...range });
        return [some, await open().list(list, { most: 4, after: some.next, ...range })];
      });
      const found = [first, rest].map(({ entries }) => entries.map(({ position }) => position));
      const inOrder = range.newestFirst ? positions.toReversed() : positions;
      expect(found).toEqual([inOrder.slice(0, 4), inOrder.slice(4)]);
      expect(rest.next).toBeUndefined();
    },
  );
});

describe('put, on the table,', () => {
  it('throws an error with the existing item, and leaves that item unchanged, if the condition is that the item is new', async () => {
    const key = freshKey();
    await open().put(key, { name: 'first' }, { isNew: true });
    const error = await failureOf(open().put(key, { name: 'second' }, { isNew: true }));
    expect(error).toBeInstanceOf(ConditionFailed);
    expect((error as ConditionFailed).existing).toEqual(new Map([['item', { ...key, name: 'first' }]]));
    expect(await open().get(key)).toEqual({ ...key, name: 'first' });
  });

  it('replaces a whole item if there is no condition, and omits undefined values', async () => {
    const key = freshKey();
    await open().put(key, { name: 'first', more: 1 });
    await open().put(key, { name: 'second', less: undefined });
    expect(await open().get(key)).toEqual({ ...key, name: 'second' });
  });
});

describe('update, on the table,', () => {
  it('sets, removes, adds and deletes, and returns the changed attributes', async () => {
    const key = freshKey();
    await open().put(key, { name: 'first', old: 1, members: new Set([1, 2]) });
    const changed = await open().update(key, {
      set: { name: 'second', old: undefined },
      add: { count: 2 },
      takeOut: { members: new Set([1]) },
    });
    expect(changed).toEqual({ name: 'second', count: 2, members: new Set([2]) });
    expect(await open().get(key)).toEqual({ ...key, name: 'second', count: 2, members: new Set([2]) });
  });

  it('creates no item if the condition is that the item exists', async () => {
    const key = freshKey();
    const error = await failureOf(open().update(key, { set: { name: 'x' } }, { exists: true }));
    expect(error).toBeInstanceOf(ConditionFailed);
    expect((error as ConditionFailed).existing).toEqual(new Map([['item', undefined]]));
    expect(await open().get(key)).toBeUndefined();
  });

  it('throws other errors of DynamoDB unchanged', async () => {
    const error = await failureOf(open().update(freshKey(), { set: { pk: 'other' } }));
    expect(error).toMatchObject({ name: 'ValidationException' });
  });
});

describe('transact, on the table,', () => {
  it('puts, changes and deletes in one step', async () => {
    const [put, changed, removed] = [freshKey(), freshKey(), freshKey()];
    await open().put(changed, { status: 'click' });
    await open().put(removed, {});
    await open().transact([
      { name: 'put', key: put, put: { name: 'new' }, condition: { isNew: true } },
      {
        name: 'changed',
        key: changed,
        change: { set: { status: 'lead' } },
        condition: { oneOf: { status: ['click'] } },
      },
      { name: 'removed', key: removed, remove: true },
    ]);
    const table = open();
    expect(await Promise.all([table.get(put), table.get(changed), table.get(removed)])).toEqual([
      { ...put, name: 'new' },
      { ...changed, status: 'lead' },
      undefined,
    ]);
  });

  it('writes nothing if a condition fails, and throws an error with the items that failed', async () => {
    const [put, existing, absent] = [freshKey(), freshKey(), freshKey()];
    await open().put(existing, { id: 7 });
    const error = await failureOf(
      open().transact([
        { name: 'put', key: put, put: {} },
        { name: 'existing', key: existing, put: { id: 8 }, condition: { isNew: true } },
        { name: 'absent', key: absent, check: true },
      ]),
    );
    expect(error).toBeInstanceOf(ConditionFailed);
    expect((error as ConditionFailed).existing).toEqual(
      new Map<string, unknown>([
        ['existing', { ...existing, id: 7 }],
        ['absent', undefined],
      ]),
    );
    expect(await open().get(put)).toBeUndefined();
  });
});

const cancelled = (...codes: string[]) =>
  Object.assign(new Error('cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const named = (...names: string[]): Write[] => names.map((name) => ({ name, key: freshKey(), put: {} }));

describe('a transaction that DynamoDB cancels', () => {
  let mock: ReturnType<typeof mockClient>;

  beforeEach(() => {
    mock = mockClient(client);
    // Removes the wait between two attempts.
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    mock.restore();
    vi.restoreAllMocks();
  });

  const transientReasons = [
    ['another transaction locks one of its items', ['TransactionConflict', 'None']],
    ['a part is throttled', ['None', 'ThrottlingError']],
    ['a part is above the throughput of its partition', ['None', 'ProvisionedThroughputExceeded']],
    ['the account is above its request limit', ['RequestLimitExceeded', 'None']],
    ['a part is throttled beside one that the table refuses', ['ThrottlingError', 'ValidationError']],
    ['no reason is given', ['None', 'None']],
    ['the list of reasons is empty', []],
  ] as const;

  it.each(transientReasons)('is tried again if %s', async (_, codes) => {
    mock
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled(...codes))
      .rejectsOnce(cancelled(...codes))
      .resolves({});
    await open().transact(named('one', 'other'));
    expect(mock.commandCalls(TransactWriteCommand)).toHaveLength(3);
  });

  it('is tried again if the error contains no list of reasons', async () => {
    const cause = Object.assign(new Error(), { name: 'TransactionCanceledException' });
    mock.on(TransactWriteCommand).rejectsOnce(cause).resolves({});
    await open().transact(named('one'));
    expect(mock.commandCalls(TransactWriteCommand)).toHaveLength(2);
  });

  it.each(transientReasons)('throws DynamoDB’s error after the last attempt if %s', async (_, codes) => {
    const cause = cancelled(...codes);
    mock.on(TransactWriteCommand).rejects(cause);
    expect(await failureOf(open().transact(named('one', 'other')))).toBe(cause);
    expect(mock.commandCalls(TransactWriteCommand)).toHaveLength(MOST_ATTEMPTS);
  });

  it.each([
    ['a condition failed beside a conflict', ['TransactionConflict', 'ConditionalCheckFailed'], ConditionFailed],
    ['the table refuses a part', ['None', 'ValidationError'], WriteRejected],
    ['a part would outgrow its collection', ['ItemCollectionSizeLimitExceeded', 'None'], WriteRejected],
  ] as const)('is not tried again if %s', async (_, codes, kind) => {
    mock.on(TransactWriteCommand).rejects(cancelled(...codes));
    expect(await failureOf(open().transact(named('one', 'other')))).toBeInstanceOf(kind);
    expect(mock.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });

  it('throws DynamoDB’s error at once if a reason is unknown', async () => {
    const cause = cancelled('ValidationError', 'SomethingNew');
    mock.on(TransactWriteCommand).rejects(cause);
    expect(await failureOf(open().transact(named('one', 'other')))).toBe(cause);
    expect(mock.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });

  it('throws an error that names exactly the writes that DynamoDB refused', async () => {
    mock.on(TransactWriteCommand).rejects(cancelled('None', 'ValidationError', 'None'));
    const error = await failureOf(open().transact(named('sale', 'commission', 'customer')));
    expect(error).toMatchObject({ names: ['commission'], message: 'Write rejected: commission' });
  });

  it('that fails for another reason throws the error at once', async () => {
    const failure = Object.assign(new Error('later'), { name: 'InternalServerError' });
    mock.on(TransactWriteCommand).rejects(failure);
    expect(await failureOf(open().transact(named('one')))).toBe(failure);
    expect(mock.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });
});

describe('a put or update of an item that a transaction locks', () => {
  const conflict = Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
  const writes = [
    ['put', () => open().put(freshKey(), {})],
    ['update', () => open().update(freshKey(), { set: { name: 'x' } })],
  ] as const;
  let mock: ReturnType<typeof mockClient>;

  beforeEach(() => {
    mock = mockClient(client);
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    mock.restore();
    vi.restoreAllMocks();
  });

  it.each(writes)('is tried again: %s', async (_, write) => {
    mock.onAnyCommand().rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    await write();
    expect(mock.calls()).toHaveLength(3);
  });

  it.each(writes)('throws DynamoDB’s error if the lock lasts for all attempts: %s', async (_, write) => {
    mock.onAnyCommand().rejects(conflict);
    expect(await failureOf(write())).toBe(conflict);
    expect(mock.calls()).toHaveLength(MOST_ATTEMPTS);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '#test/live/in-parallel.ts';
import type { Scope } from '#test/live/scope.ts';
import { type Service, startService } from '#test/live/service.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { filledCopy } from '#test/bench/support/tables/filled-copy.ts';
import { load, nextMinute } from '#test/bench/support/load.ts';
import { bareBrands, type RecordedBrands } from '#test/bench/support/tables/bare-brands.ts';
import { type Operation, operations, statusOf } from '#test/bench/support/operations.ts';
import { engineAlone } from '#test/bench/support/engine-alone.ts';
import { recordBrands } from '#test/bench/support/record-operations.ts';
import type { Body } from '#test/bench/support/recorded.ts';
import { requestsTo } from '#test/bench/support/requests.ts';
import { seedTable } from '#test/bench/support/tables/seeded-table.ts';

// The bench itself is not part of the checks. These tests check its assumptions: the service treats copied customers as
// real ones, and the baselines write the same items as the service.

const customers = 50;
/** Customers in addition: for each brand, the original, and two that the recording of the calls creates. */
const others = 3 * 10;
const visitors = 20;

const closings: (() => unknown)[] = [];
let service: Service;
let requests: ReturnType<typeof requestsTo>;
let recorded: RecordedBrands;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  closings.push(() => rm(folder, { recursive: true }));
  const scope: Scope = { folder, atEnd: (close) => closings.push(close), atFailure: () => undefined };
  const seeded = await seedTable(join(folder, 'seed.db'), async (_, brands) => {
    recorded = await recordBrands(brands);
  });
  await filledCopy(seeded, join(folder, 'engine.db'), { customers, visitors });
  service = await startService(scope, { variables: { DATA_DIR: folder, TABLE_NAME: seeded.tableName } });
  requests = requestsTo(seeded, customers);
});
afterAll(async () => {
  for (const close of closings.toReversed()) await close();
});

/** Returns how many items of each kind some requests created, by sort key. Counters and rate windows are left out. */
async function leavesOf(run: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await kindsOfItems();
  await run();
  const after = await kindsOfItems();
  return Object.fromEntries(
    Object.entries(after).flatMap(([kind, count]) => {
      const more = count - (before[kind] ?? 0);
      return more === 0 ? [] : [[kind, more]];
    }),
  );
}

async function kindsOfItems(): Promise<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const { pk, sk } of await allItems(service.table)) {
    if (
      /^(WINDOW|COUNTER|SHARDS|FACTS|DUE_FACTS|PROGRAM|LINK|STREAM_POSITION|SEQUENCE|CLOCK|SALT|HEARTBEAT)/.test(
        String(pk),
      )
    )
      continue;
    const kind = `${String(pk).split('#')[0]} ${String(sk).split('#')[0]}`;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

const leaves: Record<Operation, Record<string, number>> = {
  click: { 'CUSTOMER CUSTOMER': 5 },
  lead: { 'CUSTOMER LEAD': 5, 'KEY PROGRAM': 5 },
  sale: { 'SALE SALE': 5, 'SALE COMMISSION': 5, 'COMMISSION OF': 5, 'CUSTOMER SALE': 5 },
  'repeated sale': {},
};

it('a table in which customers are copied for a measurement has all items of every customer', async () => {
  expect(await kindsOfItems()).toMatchObject({
    'CUSTOMER LEAD': customers + others,
    'KEY PROGRAM': customers + others,
    'SALE SALE': customers + others,
    'SALE COMMISSION': customers + others,
    'COMMISSION OF': customers + others,
  });
});

describe.each(operations)('a measured request of the operation %s', (operation) => {
  it('creates the same items for a copied customer as for a real one', async () => {
    await nextMinute(service.call);
    const round = { count: 5, connections: 2, next: requests[operation], status: statusOf[operation] };
    expect(await leavesOf(() => load(service.call, round))).toEqual(leaves[operation]);
  });

  it('creates the same items if its recorded calls are sent through the SDK, without the service’s code', async () => {
    const bare = bareBrands(service.table.client, recorded);
    const round = async () => {
      for (let n = 0; n < 5; n++) {
        const { path, key, body } = requests[operation]();
        expect(await bare(path, key, body as Record<string, unknown>)).toBe(operation);
      }
    };
    expect(await leavesOf(round)).toEqual(leaves[operation]);
  });

  it('creates the same items if its recorded calls are sent to the database engine, without the SDK', async () => {
    const [ofBrand] = Object.values(recorded);
    const prepare = engineAlone(service.table.endpoint, ofBrand![operation]);
    const send = await prepare(Array.from({ length: 5 }, () => requests[operation]().body as Body));
    expect(await leavesOf(() => inParallel(5, 2, send))).toEqual(leaves[operation]);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { rebuildAllMetrics } from '#lib/service/reports/counting/rebuild-all.ts';
import { rebuildDue } from '#lib/service/reports/counting/rebuild-due.ts';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { sharedProbes } from '#lib/service/reports/counting/shared-probes.ts';
import { clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import { counted, counterItems, forgetCounts, probesPassed } from '#test/support/table/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let busy: Brand;
let quiet: Brand;
/** The click ids of a customer of each program, with a sale on the first day. */
let buyers: string[];

const FIRST_DAY = new Date('2026-11-18T10:00:00.000Z');
const NEXT_MORNING = new Date('2026-11-21T00:20:00.000Z');
let names = 0;

/** A click, sometimes with its lead and sale. The stream's consumer gets the records of several together, and late. */
async function visitor(since: Date): Promise<void> {
  const number = ++names;
  const at = new Date(since.getTime() + 1_000 * number);
  if (number % 8 > 0) await clicked(busy, { at });
  else {
    await signedUp(busy, `visitor-${number}`, { at });
    await sold(busy, { transaction_id: `order-${number}`, customer_key: `visitor-${number}` }, { at });
  }
  if (number % 5 === 0) await counted(world);
}

const stepped: ReadonlySet<PropertyKey> = new Set(['list', 'query', 'range', 'update', 'put', 'transact', 'delete']);

/** A table whose every step comes after a visitor. Reads of one tick stay together. */
const inTraffic = (table: Table, at: Date): Table =>
  new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...given: unknown[]) => unknown;
      if (!stepped.has(name)) return method;
      return async (...given: unknown[]) => {
        await visitor(at);
        return method(...given);
      };
    },
  });

const busyDeps = (at: Date) => {
  const deps = world.deps(at);
  return { ...deps, table: inTraffic(deps.table, at) };
};
/** The consumer catches up while more visitors come. */
const how = (at: Date) => ({
  probes: 3,
  wait: async () => {
    await counted(world);
    await visitor(at);
  },
});

const programOf = ({ program }: Brand) => keys.counter({ of: 'program', programId: program.id });
const spoil = async () => {
  const { table } = world.deps();
  for (const brand of [busy, quiet]) {
    await table.update(programOf(brand), {
      add: { clicks: 5, 'clicks@2026-11-18': 5, 'sales@2026-11-18': 3, revenueUSD: 7, 'leads@2026-11-20': 4, leads: 4 },
    });
    await table.update(keys.counter({ of: 'link', shortLink: brand.shortLink }), { add: { 'clicks@2026-11-20': -1 } });
  }
  for (const clickId of buyers) {
    await table.update(keys.counter({ of: 'customer', clickId }), { set: { revenueUSD: 1 } });
  }
};

/** What the stream counts from the beginning. */
async function trueCounts(): Promise<Awaited<ReturnType<typeof counterItems>>> {
  await forgetCounts(world);
  await counted(world);
  return counterItems(world);
}

const dueItems = () => world.items(keys.dueRebuild('', 0).pk);

describe('a rebuild of all programs while clicks keep arriving', () => {
  beforeAll(async () => {
    world = await openWorld();
    [busy, quiet] = [await world.brand(), await world.brand()];
    buyers = [];
    for (const brand of [busy, quiet]) {
      const name = `first-${brand.program.id}`;
      buyers.push(await signedUp(brand, name, { at: FIRST_DAY }));
      await sold(brand, { transaction_id: name, customer_key: name }, { at: FIRST_DAY });
      await clicked(brand, { at: NOW });
    }
    await counted(world);
    await spoil();
  });

  it('corrects past days, customers and idle programs at once, and leaves the present day of the busy program for later', async () => {
    const { rebuilt, failed } = await rebuildAllMetrics(busyDeps(NOW), how(NOW));
    expect(failed).toEqual([]);
    expect(rebuilt).toMatchObject([{ programId: busy.program.id }, { programId: quiet.program.id, open: 0 }]);
    expect(rebuilt[0]!.open).toBeGreaterThan(0);
    await counted(world);
    const items = await counterItems(world);
    expect(items[`PROGRAM#${busy.program.id}`]).toMatchObject({
      'clicks@2026-11-18': 1,
      'sales@2026-11-18': 1,
      'revenueUSD@2026-11-18': 4900,
    });
    for (const clickId of buyers) expect(items[`CUSTOMER#${clickId}`]).toMatchObject({ revenueUSD: 4900 });
    expect(await dueItems()).toMatchObject([{ day: '2026-11-20', programId: busy.program.id, tries: 0 }]);
  });

  it('has corrected all days after the scheduled run of the next morning, despite new clicks', async () => {
    await rebuildDue(busyDeps(NEXT_MORNING), how(NEXT_MORNING));
    expect(await dueItems()).toEqual([]);
    await counted(world);
    const corrected = await counterItems(world);
    expect(corrected[`PROGRAM#${busy.program.id}`]).toHaveProperty('clicks@2026-11-21');
    expect(corrected).toEqual(await trueCounts());
  });
});

it('nothing is corrected if two recounts agree only because a sale and a refund cancel out, one of which is not counted yet', async () => {
  const other = await world.brand();
  await signedUp(other, 'changing', { at: NOW });
  await counted(world);
  const pays = (id: string) => sold(other, { transaction_id: id, customer_key: 'changing' });
  await pays('counted-later');
  let waits = 0;
  const wait = async () => {
    if (++waits > 1) return counted(world);
    await send(refund, { key: other.key, body: { transaction_id: 'counted-later', reason: 'chargeback' } });
    await counted(world);
    return pays('uncounted');
  };
  const deps = world.deps();
  await rebuildMetrics(deps, other.program.id, { probes: 3, wait });
  await counted(world);
  const corrected = await counterItems(world);
  expect(corrected[`PARTNER#${other.program.id}#${other.partner.id}`]).toMatchObject({ commissionUSD: 980 });
  expect(corrected).toEqual(await trueCounts());
});

const listsRead = (calls: readonly SentCall[]) =>
  calls.map(({ input }) => String(Object(input.ExpressionAttributeValues)[':list'] ?? ''));
const killedAt = (end: string) => (line: string) => {
  if (line.endsWith(end)) throw new Error('Killed');
};

describe('a rebuild that was interrupted', () => {
  const passing = { probes: 3, wait: () => probesPassed(world) };
  it('of one program continues after the last finished portion, and ends with the right numbers', async () => {
    const { table } = world.deps();
    await table.update(programOf(quiet), { add: { 'clicks@2026-11-18': 1, clicks: 1, 'sales@2026-11-18': 1 } });
    const key = keys.rebuild(quiet.program.id);
    const report = killedAt(`clicks up to 2026-11-20 compared, 1 numbers corrected so far`);
    await expect(rebuildMetrics(world.deps(), quiet.program.id, { ...passing, report })).rejects.toThrow('Killed');
    expect(await table.get(key)).toMatchObject({ day: '2026-11-20', part: 'clicks', at: '2026-11-20', corrected: 1 });
    const lines: string[] = [];
    let rebuilt: unknown;
    const calls = await sentCalls(async () => {
      rebuilt = await rebuildMetrics(world.deps(), quiet.program.id, {
        ...passing,
        report: (line) => void lines.push(line),
      });
    });
    expect(rebuilt).toEqual({ programId: quiet.program.id, days: 2, corrected: 3, open: 0, unsettled: 0 });
    expect(lines).toHaveLength(3);
    expect(listsRead(calls).filter((list) => list.includes('#EVENTS#click'))).toHaveLength(16);
    expect(await world.items(key.pk)).toEqual([]);
    expect(await counterItems(world)).toEqual(await trueCounts());
  });

  it('of all programs continues with the programs that are not finished', async () => {
    const report = killedAt('programs are done');
    await expect(rebuildAllMetrics(world.deps(), { ...passing, report })).rejects.toThrow('Killed');
    const { id } = await world
      .deps()
      .table.get<{ id: number }>(keys.program(3))
      .then((program) => program!);
    const next = await world.brand();
    expect(await rebuildAllMetrics(world.deps(), passing)).toMatchObject({
      continuedAfter: id,
      rebuilt: [{ programId: next.program.id }],
      failed: [],
    });
    expect((await rebuildAllMetrics(world.deps(), passing)).continuedAfter).toBeUndefined();
  });

  it('because the consumer of the stream was behind has changed nothing, and continues when it has caught up', async () => {
    await world.deps().table.update(programOf(quiet), { add: { 'sales@2026-11-18': 1 } });
    const late = rebuildAllMetrics(world.deps(), { probes: 3, wait: async () => undefined });
    await expect(late).rejects.toThrow('The counters are late, so nothing more was changed');
    await rebuildAllMetrics(world.deps(), passing);
    expect(await counterItems(world)).toEqual(await trueCounts());
  });
});

describe('the marker records (probes) that a rebuild writes to the stream', () => {
  it('are not written if all numbers are right', async () => {
    const calls = await sentCalls(() => rebuildAllMetrics(world.deps(), { probes: 3, wait: async () => undefined }));
    expect(calls.filter(({ name }) => name === 'TransactWriteCommand')).toEqual([]);
  });

  it('are shared by parallel rebuilds: five requests for them lead to two sets in all', async () => {
    const sets: number[] = [];
    const untilCounted = sharedProbes(world.deps(), {
      probes: 1,
      wait: async () => {
        sets.push(asked);
        await probesPassed(world);
      },
    });
    let asked = 3;
    const first = [untilCounted(), untilCounted(), untilCounted()];
    await Promise.resolve();
    asked = 5;
    await Promise.all([...first, untilCounted(), untilCounted()]);
    expect(sets).toHaveLength(2);
  });
});

import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { isDeepStrictEqual } from 'node:util';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Counter, counterId, type Counts } from '#lib/service/ground/counters/counter.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';
import { wholeCounter } from '#lib/service/ground/counters/counter-readings-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { countEvents } from '#lib/service/reports/counting/count-events.ts';
import { type Items, nameOf, simulatedClient } from '#test/support/table/simulated-table.ts';

// Each record must be counted once, in any order of the calls of several runs. A schedule is drawn from its number, so
// a failure names the number that reproduces it.

const NOW = new Date('2026-11-20T15:00:00.000Z');
const LINKS = ['ana', 'ben'];
const CUSTOMERS = ['clk_1', 'clk_2'];
const program: Counter = { of: 'program', programId: 1 };

/** Random numbers from a seed. */
function chanceOf(seed: number) {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const recordOf = (place: number, item: object): DynamoDBRecord => ({
  eventID: `${place}`,
  dynamodb: {
    SequenceNumber: String(place),
    NewImage: marshall({ programId: 1, ...item }) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'],
  },
});

const timeOf = (minute: number): string => new Date(NOW.getTime() + 60_000 * minute).toISOString();

const click = (place: number, minute: number): DynamoDBRecord =>
  recordOf(place, {
    pk: 'CUSTOMER#c',
    sk: 'CUSTOMER',
    partnerId: 5,
    shortLink: LINKS[minute % LINKS.length],
    firstClickAt: timeOf(minute),
  });

/** The record of a sale without partner and link, by a customer whose rows look like those of clicks. */
const sale = (place: number, minute: number): DynamoDBRecord =>
  recordOf(place, {
    pk: 'SALE#s',
    sk: 'SALE',
    amountCents: 1,
    currency: 'USD',
    createdAt: timeOf(minute),
    occurredAt: timeOf(minute),
    attribution: { clickId: CUSTOMERS[minute % CUSTOMERS.length] },
  });

const RECORDS = 6;
/** One in this many records is a sale. */
const SALE_AMONG = 3;
const SALES = RECORDS / SALE_AMONG;
const CLICKS = RECORDS - SALES;
/** Two shards in parallel, as after a shard split. */
const shards = new Map(
  ['shardId-1', 'shardId-2'].map((shardId, n) => [
    shardId,
    Array.from({ length: RECORDS }, (_, place) =>
      (place % SALE_AMONG === SALE_AMONG - 1 ? sale : click)(place + 8, n * RECORDS + place),
    ),
  ]),
);

/** A counter close to one write unit, so that a run moves days and minutes to other items. */
const fullCounter = {
  ...keys.counter(program),
  version: 1,
  moves: 1,
  clicks: 60,
  ...Object.fromEntries(Array.from({ length: 20 }, (_, day) => [`clicks@2026-10-${10 + day}`, 3])),
  ...Object.fromEntries(Array.from({ length: 14 }, (_, minute) => [`clicks@2026-10-30T10:${10 + minute}`, 1])),
};

/** A run that Lambda has ended stops at its next call, like a killed process. */
class Killed extends Error {}

const sumOfDays = (counts: Counts): number =>
  Object.entries(counts).reduce((sum, [field, count]) => sum + (/^clicks@[\d-]+$/.test(field) ? count : 0), 0);

/** Plays one schedule. @returns the counters' totals, and any impossible states seen by readers */
async function play(seed: number): Promise<{ totals: Record<string, number>; wrongReadings: string[] }> {
  const chance = chanceOf(seed);
  const waiting: (() => void)[] = [];
  const stopped = new Set<object>();
  let calm = false;
  const wrongReadings: string[] = [];

  const items: Items = new Map([[nameOf(fullCounter), fullCounter]]);
  const tick = () => new Promise<void>((go) => waiting.push(go));
  /** The table as one run sees it. */
  const tableOf = (run: object, { isSpared = false } = {}): Table => {
    const turn = async (moment: 'call' | 'answer') => {
      await tick();
      if (stopped.has(run)) throw new Killed();
      if (calm || isSpared) return;
      if (moment === 'answer' && chance(25) === 0) throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
      if (moment === 'call' && chance(40) === 0) throw Object.assign(new Error('no'), { name: 'InternalServerError' });
    };
    return new Table(simulatedClient(items, { turn }), 'table', NOW);
  };

  const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const underWay = new Set<Promise<unknown>>();
  function start<T>(run: () => Promise<T>): Promise<T> {
    const started = run();
    const ended: Promise<unknown> = started.catch(() => undefined).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return started;
  }
  const countIn = (run: object, shardId: string, records: readonly DynamoDBRecord[]) =>
    start(() => countEvents({ table: tableOf(run), log, now: NOW }, { shardId, records }, () => tick()));

  /** Delivers a shard as Lambda does: a record for the first time when all earlier ones are done. */
  async function deliverShard(shardId: string, records: readonly DynamoDBRecord[]): Promise<void> {
    for (let next = 0; next < records.length;) {
      const run = {};
      const batch = records.slice(next, next + 1 + chance(4));
      const done = countIn(run, shardId, batch);
      if (chance(4) === 0) void countIn({}, shardId, batch).catch(() => undefined);
      if (chance(6) === 0) void countIn({}, shardId, records.slice(chance(next + 1), next + 1)).catch(() => undefined);
      if (!calm && chance(4) === 0) {
        // The run takes too long: it is killed, or only pauses and continues later.
        for (let steps = chance(12); steps > 0; steps--) await tick();
        if (chance(2) === 0) stopped.add(run);
        void done.catch(() => undefined);
        continue;
      }
      next += await done.catch(() => 0);
    }
  }

  async function read(): Promise<void> {
    for (let reading = 0; reading < 8; reading++) {
      const { counts } = await wholeCounter(tableOf({}, { isSpared: true }), program);
      if (sumOfDays(counts) !== counts.clicks) wrongReadings.push(`${counts.clicks}, by day ${sumOfDays(counts)}`);
    }
  }

  for (const [shardId, records] of shards) void start(() => deliverShard(shardId, records));
  void start(read);
  for (let step = 0; underWay.size > 0; step++) {
    if (step > 1_500) calm = true;
    if (waiting.length === 0) await turnOfTheLoop();
    const [go] = waiting.splice(chance(waiting.length || 1), 1);
    go?.();
    await turnOfTheLoop();
  }

  const totals: Record<string, number> = {};
  const table = new Table(simulatedClient(items), 'table', NOW);
  for (const counter of [program, ...LINKS.map((shortLink): Counter => ({ of: 'link', shortLink }))]) {
    const { counts } = await wholeCounter(table, counter);
    totals[counterId(counter)] = counts.clicks ?? 0;
    if (sumOfDays(counts) !== counts.clicks) wrongReadings.push(`${counterId(counter)}, by day ${sumOfDays(counts)}`);
  }
  for (const clickId of CUSTOMERS) {
    const counter = { of: 'customer', clickId } as const;
    totals[counterId(counter)] = (await wholeCounter(table, counter)).counts.revenueUSD ?? 0;
  }
  return { totals, wrongReadings };
}

const expected = {
  'PROGRAM#1': fullCounter.clicks + shards.size * CLICKS,
  'LINK#ana': (shards.size * CLICKS) / 2,
  'LINK#ben': (shards.size * CLICKS) / 2,
  'CUSTOMER#clk_1': (shards.size * SALES) / 2,
  'CUSTOMER#clk_2': (shards.size * SALES) / 2,
};

/**
 * Number of schedules. A missing condition, or a position that is read too early or kept too short, shows within
 * eleven; this number leaves room for rarer errors.
 */
const SCHEDULES = 300;

it(
  'counters are correct in many random schedules, in which runs of the counter race, stall, crash and lose replies',
  { tags: ['deep'] },
  async () => {
    const wrong: unknown[] = [];
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const played = await play(seed);
      if (!isDeepStrictEqual(played, { totals: expected, wrongReadings: [] })) wrong.push({ seed, ...played });
    }
    expect(wrong).toEqual([]);
  },
);

import type { DynamoDBRecord } from 'aws-lambda';
import { setTimeout as pause } from 'node:timers/promises';
import type { Counter, FirstClicks } from '#lib/service/ground/counters/counter.ts';
import { addedFirstClicks } from '#lib/service/programs/terms/velocity.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  addToCounter,
  type CounterItem,
  findCounter,
  moveCounts,
  outgrows,
} from '#lib/service/ground/counters/counters-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { passProbe, probeIn } from '#lib/service/ground/counters/probes-items.ts';
import {
  advanceShard,
  isAfter,
  openShard,
  type ShardPositions,
  shardPositions,
} from '#lib/service/ground/counters/shards-items.ts';
import { ConditionFailed, isHeld, WriteRejected } from '#lib/service/ground/table/writes.ts';
import { recordClickBursts } from '#lib/service/traffic/clicks/record-bursts.ts';
import { type Due, dueOf, positionOf, type Share, sumOf } from '#lib/service/reports/counting/due-counts.ts';

/** Records of one shard of the table's stream, in order. */
export interface ShardBatch {
  readonly shardId: string;
  readonly records: readonly DynamoDBRecord[];
}

type Wait = (ms: number) => Promise<unknown>;

type CountDeps = Pick<Deps, 'table' | 'log' | 'now'>;

/**
 * Counts stream records, each exactly once, even if it is delivered repeatedly or processed in parallel. A counter
 * stores the position up to which it has counted each shard, and it is written only if it has not changed since it was
 * read. The position of the shard itself is moved forward after all counters have reached it. README.md explains why
 * the counts are exact and which properties of Lambda this assumes.
 * @param wait pauses before a retry after a lost race
 * @returns the number of records, from the first on, that are done; fewer than all if the table failed
 */
export async function countEvents(
  deps: CountDeps,
  { shardId, records }: ShardBatch,
  wait: Wait = pause,
): Promise<number> {
  if (records.length === 0) return 0;
  const { table, log } = deps;
  let done = records.length;
  const fail = (error: unknown, index: number): void => {
    done = Math.min(done, index);
    log.error('records_delayed', error, { sequence_number: positionOf(records[index]!) });
  };
  try {
    const { left, error, known } = await countAll(deps, shardId, dueOf(log, records), wait);
    if (left.length > 0) fail(error, Math.min(...left.map(({ shares }) => shares[0]!.index)));
    await passProbes(table, records.slice(0, done), fail);
    const [seconds, last] = [secondsOf(deps), records[done - 1]];
    if (last) await advanceShard(table, shardId, known, { position: positionOf(last), seconds }).catch(logDelay(log));
  } catch (error) {
    fail(error, 0);
  }
  return done;
}

/** Logs that the shard's position could not be moved forward. A later batch moves it; the counters have their own. */
const logDelay = (log: Deps['log']) => (error: unknown) => log.error('shard_not_advanced', error);

/** Marks the probes in these records as passed. Everything before a passed probe has been counted. */
async function passProbes(
  table: Deps['table'],
  records: readonly DynamoDBRecord[],
  fail: (error: unknown, index: number) => void,
): Promise<void> {
  const probes = records.flatMap((record, index) => {
    const probe = probeIn(record);
    return probe ? [{ index, probe }] : [];
  });
  for (let at = 0; at < probes.length; at += AT_ONCE) {
    const some = probes.slice(at, at + AT_ONCE);
    await Promise.all(
      some.map(({ index, probe }) => passProbe(table, probe).catch((error: unknown) => fail(error, index))),
    );
  }
}

const secondsOf = ({ now }: CountDeps): number => Math.floor(now.getTime() / 1_000);

/** How often counting is repeated if other runs write a counter first: for four of ten seconds at most. */
const MOST_LOST_ROUNDS = 14;
const LONGEST_PAUSE_MS = 400;
/** Maximum number of writes in parallel. More would only wait for a connection to the table. */
const AT_ONCE = 50;

/**
 * Adds the numbers that are not counted yet to all counters.
 * @returns what could not be added because the table failed or other runs were faster, and the shard's position as read
 */
async function countAll(
  deps: CountDeps,
  shardId: string,
  due: readonly Due[],
  wait: Wait,
): Promise<{ left: readonly Due[]; error?: unknown; known?: string }> {
  const failed: Due[] = [];
  let error: unknown;
  let known: string | undefined;
  let open = due;
  for (let lostRounds = 0; open.length > 0 && lostRounds < MOST_LOST_ROUNDS;) {
    const { outcomes, position } = await countRound(deps, shardId, open);
    known = position;
    const next: Due[] = [];
    let isLost = false;
    for (const [index, outcome] of outcomes.entries()) {
      const one = open[index]!;
      if (outcome.status === 'fulfilled') {
        if (outcome.value.length > 0) next.push({ ...one, shares: outcome.value });
        continue;
      }
      error ??= outcome.reason;
      if (isLostRace(outcome.reason)) {
        isLost = true;
        next.push(one);
      } else failed.push(one);
    }
    open = next;
    if (isLost) await wait(Math.random() * Math.min(LONGEST_PAUSE_MS, 20 * 2 ** lostRounds++));
  }
  return { left: [...failed, ...open], error, known };
}

/** Tries once to add to each counter. */
async function countRound(
  deps: CountDeps,
  shardId: string,
  open: readonly Due[],
): Promise<{ outcomes: PromiseSettledResult<readonly Share[]>[]; position?: string }> {
  const { table } = deps;
  table.forget();
  const items = await Promise.all(open.map(({ counter }) => findCounter(table, counter)));
  // Shards are read after counters: a counter drops a position only after its shard has passed it.
  const shardIds = new Set([shardId, ...items.flatMap(({ positions }) => Object.keys(positions))]);
  const shards = await shardPositions(table, shardIds);
  const position = shards.get(shardId);
  if (position === undefined) await openShard(table, shardId, secondsOf(deps));
  const outcomes: PromiseSettledResult<readonly Share[]>[] = [];
  for (let at = 0; at < open.length; at += AT_ONCE) {
    const some = open.slice(at, at + AT_ONCE);
    const tries = some.map((one, index) => countOnce(deps, shardId, one, items[at + index]!, shards));
    outcomes.push(...(await Promise.allSettled(tries)));
  }
  return { outcomes, position };
}

/** Whether another run has written the counter, or is writing it. */
const isLostRace = (error: unknown): boolean => error instanceof ConditionFailed || isHeld(error);

/**
 * Adds as many numbers to a counter as fit into one update.
 * @returns what is left to add
 * @throws ConditionFailed
 */
async function countOnce(
  deps: CountDeps,
  shardId: string,
  { counter, shares }: Due,
  item: CounterItem,
  shards: ShardPositions,
): Promise<readonly Share[]> {
  const counted = [shards.get(shardId), item.positions[shardId]];
  const fresh = shares.filter(({ position }) => counted.every((known) => isAfter(position, known)));
  const [first] = fresh;
  if (!first) return [];
  const { counts, taken } = sumOf(fresh);
  if (outgrows(item, counts) && (await haveMoved(deps, counter, item))) {
    // The item has changed since it was read, so nothing was added.
    return fresh;
  }
  const last = fresh[taken - 1]!;
  const some = fresh.slice(0, taken);
  const clicks = some.flatMap(({ clickedAt }) => clickedAt ?? []);
  const firstClicks = await countFirstClicks(deps, counter, item, some);
  try {
    await addToCounter(deps.table, counter, item, {
      counts,
      positions: { ...unpassed(item.positions, shards), [shardId]: last.position },
      lastClickedAt: [item.lastClickedAt ?? '', ...clicks].toSorted().at(-1),
      firstClicks,
    });
  } catch (error) {
    if (!isRejected(error)) throw error;
    // The update can never succeed, for example because the item contains a text instead of a number.
    deps.log.error('record_uncounted', error, {
      counter: keys.counter(counter).pk,
      sequence_number: first.position,
      records: taken,
    });
  }
  return fresh.slice(taken);
}

/**
 * Adds up the first clicks of a link by minute, and records the minutes with suspiciously many. This is done first,
 * because clicks that have been counted are not examined again.
 * @returns the link's new minutes; undefined if nothing changes
 */
async function countFirstClicks(
  deps: CountDeps,
  counter: Counter,
  { firstClicks: before }: CounterItem,
  shares: readonly Share[],
): Promise<FirstClicks | undefined> {
  const added = shares.flatMap(({ firstClicks }) => firstClicks ?? []);
  const [first] = added;
  if (!first || counter.of !== 'link') return undefined;
  const { kept, changed } = addedFirstClicks(before, added);
  await recordClickBursts(deps, first, before, changed);
  return kept;
}

/**
 * Moves counts from the counter's item to those of months and hours.
 * @returns false if the table rejects the move; the counter then still works, but each write costs more
 * @throws ConditionFailed
 */
async function haveMoved({ table, log }: CountDeps, counter: Counter, item: CounterItem): Promise<boolean> {
  try {
    await moveCounts(table, counter, item);
    return true;
  } catch (error) {
    if (!(error instanceof WriteRejected) && !isRejected(error)) throw error;
    log.error('counts_not_moved', error, { counter: keys.counter(counter).pk });
    return false;
  }
}

/** The counter's positions, without those that their shard has passed. Such shards never go back. */
const unpassed = (positions: CounterItem['positions'], shards: ShardPositions): CounterItem['positions'] =>
  Object.fromEntries(
    Object.entries(positions).filter(([shardId, position]) => {
      const passed = shards.get(shardId);
      return passed !== undefined && isAfter(position, passed);
    }),
  );

const isRejected = (error: unknown): boolean => error instanceof Error && error.name === 'ValidationException';

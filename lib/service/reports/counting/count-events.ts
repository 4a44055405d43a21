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

/** Records of one shard of the table's stream, in its order. */
export interface ShardBatch {
  readonly shardId: string;
  readonly records: readonly DynamoDBRecord[];
}

type Wait = (ms: number) => Promise<unknown>;

type CountDeps = Pick<Deps, 'table' | 'log' | 'now'>;

/**
 * Counts records of the table's stream, each exactly once however often it is delivered, and in however many places at
 * once. A counter keeps the position up to which it has counted each shard, and changes only while it is as it was
 * read; a shard's own position follows when all counters have counted that far. Why this is exact, and what it takes
 * for granted of Lambda, is told in ARCHITECTURE.md.
 * @param wait before another attempt after a lost race
 * @returns how many of the records, from the first on, are dealt with; fewer than all when the table failed
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

/** The counters keep their positions until a later batch moves the shard's. */
const logDelay = (log: Deps['log']) => (error: unknown) => log.error('shard_not_advanced', error);

/** A probe tells that everything before it is counted. */
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

/** Rounds in which another run was faster with some counter: at most four seconds of waiting, of a function's ten. */
const MOST_LOST_ROUNDS = 14;
const LONGEST_PAUSE_MS = 400;
/** Writes under way at a time: more would only wait for a connection. */
const AT_ONCE = 50;

/**
 * Adds what is due to every counter.
 * @returns what is left, because the table failed or other runs were faster every time; and the shard's position as read
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

/** Tries each counter once. */
async function countRound(
  deps: CountDeps,
  shardId: string,
  open: readonly Due[],
): Promise<{ outcomes: PromiseSettledResult<readonly Share[]>[]; position?: string }> {
  const { table } = deps;
  table.forget();
  const items = await Promise.all(open.map(({ counter }) => findCounter(table, counter)));
  // Read after all counters: a position that a counter no longer keeps is then among these.
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

/** Another run wrote the counter, or is about to. */
const isLostRace = (error: unknown): boolean => error instanceof ConditionFailed || isHeld(error);

/** Adds to a counter as much of what is due as one update takes. @returns what is left. @throws ConditionFailed */
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
    // The item has changed: all of it is due again.
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
    // The table will never take it, such as where the item holds a text instead of a number.
    deps.log.error('record_uncounted', error, {
      counter: keys.counter(counter).pk,
      sequence_number: first.position,
      records: taken,
    });
  }
  return fresh.slice(taken);
}

/**
 * Adds up the first clicks of a link by minute, and notes the minutes that have too many. They are noted before they are
 * counted: what is counted is never looked at again.
 * @returns what the link is to keep; undefined where nothing changes
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

/** @returns false when the table does not take it: the counter goes on, and costs more. @throws ConditionFailed */
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

/** Positions that their shards have not passed yet. One that has passed counts nothing before its own position again. */
const unpassed = (positions: CounterItem['positions'], shards: ShardPositions): CounterItem['positions'] =>
  Object.fromEntries(
    Object.entries(positions).filter(([shardId, position]) => {
      const passed = shards.get(shardId);
      return passed !== undefined && isAfter(position, passed);
    }),
  );

const isRejected = (error: unknown): boolean => error instanceof Error && error.name === 'ValidationException';

import { type Counter, counterId, type Counts, partsOf } from '#lib/service/ground/counters/counter.ts';
import { type Corrected, comparedCounts, corrected, isExcess } from '#lib/service/ground/counters/counter-parts.ts';
import { wholeCounter } from '#lib/service/ground/counters/counter-readings-items.ts';
import { correctCounter, MOST_FIELDS, moveCounts, outgrows } from '#lib/service/ground/counters/counters-items.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { safeInteger } from '#lib/service/ground/values/money.ts';
import { ConditionFailed, isHeld } from '#lib/service/ground/table/writes.ts';
import type { EventSums } from '#lib/service/reports/counting/event-sum.ts';
import type { UntilCounted } from '#lib/service/reports/counting/shared-probes.ts';

/** A field of a counter that disagrees with the events. */
export interface Difference {
  readonly counter: Counter;
  readonly field: string;
  readonly stored: number;
  readonly right: number;
  /** A checksum of the events from which `right` was computed. */
  readonly mark: number;
}

/** Counters to compare with the events. */
export interface Comparison {
  /** The counters that have any of the compared fields, including counters for which there are no events. */
  readonly counters: readonly Counter[];
  readonly isCompared: (field: string) => boolean;
  /**
   * Computes the correct numbers from the events.
   * @param differences if set, only their fields are computed; otherwise all compared fields
   */
  readonly recount: (differences?: readonly Difference[]) => Promise<EventSums>;
}

export const NOTHING_CORRECTED: Corrected = { corrected: 0, open: 0, unsettled: 0 };

/** The maximum number of rounds. Fields that change during one round are compared again in the next one. */
const MOST_ROUNDS = 4;
/** How many counters are read or corrected at once. */
const AT_ONCE = 50;

/**
 * Corrects each field in which a counter disagrees with the events, while new events may arrive. The events are
 * recounted twice. A field is corrected only if both recounts found the same events for it, the stream's consumer had
 * counted all events of the first recount before the second, and the field did not change meanwhile. README.md explains
 * why nothing is then counted twice. A field that keeps changing is not corrected; if its day is not over, it can be
 * corrected after that.
 * @throws CountersLate
 */
export const correctCounters = async (
  deps: OperatorDeps,
  comparison: Comparison,
  untilCounted: UntilCounted,
): Promise<Corrected> => correctDifferences(deps, comparison, await differencesOf(deps, comparison), untilCounted);

/**
 * Corrects fields like `correctCounters`, but begins with differences that a first recount has already found.
 * @param first the differences; if a field occurs several times, its last entry counts
 */
export async function correctDifferences(
  deps: OperatorDeps,
  comparison: Comparison,
  first: readonly Difference[],
  untilCounted: UntilCounted,
): Promise<Corrected> {
  const isOpen = ({ field }: Difference): boolean => (partsOf(field).at ?? '') >= dayOf(deps.now);
  let before = [...new Map(first.map((one) => [nameOf(one), one])).values()];
  let sum = 0;
  for (let round = 1; before.length > 0 && round <= MOST_ROUNDS; round++) {
    await untilCounted();
    const now = await differencesAmong(deps, comparison, before);
    const isUnchanged = isAsIn(before);
    const unchanged = now.filter(isUnchanged);
    const failed = await correctAll(deps, unchanged);
    sum += unchanged.length - failed.length;
    before = [...now.filter((one) => !isUnchanged(one)), ...failed];
    // Fields of today change with almost every event. If only such fields are left, another recount would not help.
    if (before.every(isOpen)) break;
  }
  const open = before.filter(isOpen).length;
  return { corrected: sum, open, unsettled: before.length - open };
}

const nameOf = ({ counter, field }: Difference): string => `${counterId(counter)} ${field}`;

function isAsIn(before: readonly Difference[]): (one: Difference) => boolean {
  const known = new Map(before.map((one) => [nameOf(one), one]));
  return (one) => {
    const { stored, right, mark } = known.get(nameOf(one))!;
    return stored === one.stored && right === one.right && mark === one.mark;
  };
}

/** All differences, after a first recount. */
export async function differencesOf(deps: OperatorDeps, comparison: Comparison): Promise<Difference[]> {
  const sums = await comparison.recount();
  const counters = new Map(comparison.counters.map((counter) => [counterId(counter), counter]));
  for (const [id, { counter }] of sums) counters.set(id, counter);
  const found: Difference[] = [];
  await inParts(deps, [...counters], async ([id, counter]) => {
    const stored = await storedCounts(deps, counter);
    for (const field of new Set([...Object.keys(stored), ...Object.keys(sums.get(id)?.counts ?? {})])) {
      const one = { counter, field, stored: stored[field] ?? 0, ...eventsOf(sums, counter, field) };
      if (comparison.isCompared(field) && one.stored !== one.right) found.push(one);
    }
  });
  return found;
}

/**
 * Compares these fields again, and returns those that still differ, with their present values. The counters are read
 * before the events, so that the events include everything that a counter contains.
 */
async function differencesAmong(
  deps: OperatorDeps,
  { recount }: Comparison,
  before: readonly Difference[],
): Promise<Difference[]> {
  const stored = new Map<string, Counts>();
  await inParts(deps, onePerCounter(before), async ([{ counter }]) => {
    stored.set(counterId(counter), await storedCounts(deps, counter));
  });
  const sums = await recount(before);
  return before.flatMap((one) => {
    const { counter, field } = one;
    const number = stored.get(counterId(counter))![field] ?? 0;
    const now = { counter, field, stored: number, ...eventsOf(sums, counter, field) };
    return now.stored === now.right ? [] : now;
  });
}

function eventsOf(sums: EventSums, counter: Counter, field: string): Pick<Difference, 'right' | 'mark'> {
  // The difference between an all-time total and the sum of its days must be 0, for any events.
  if (isExcess(counter, field)) return { right: 0, mark: 0 };
  const { counts = {}, marks = {} } = sums.get(counterId(counter)) ?? {};
  return { right: safeInteger(counts[field] ?? 0), mark: marks[field] ?? 0 };
}

type OfOneCounter = [Difference, ...Difference[]];

const onePerCounter = (differences: readonly Difference[]): OfOneCounter[] => [
  ...(Map.groupBy(differences, ({ counter }) => counterId(counter)) as Map<string, OfOneCounter>).values(),
];

async function storedCounts({ table, now }: OperatorDeps, counter: Counter): Promise<Counts> {
  const { counts } = await wholeCounter(table, counter);
  return comparedCounts(counter, counts, now);
}

/** Calls an action for every item, some items in parallel at a time. Each such group reads the table afresh. */
async function inParts<One>(
  { table }: OperatorDeps,
  all: readonly One[],
  run: (one: One) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < all.length; at += AT_ONCE) {
    table.forget();
    await Promise.all(all.slice(at, at + AT_ONCE).map(run));
  }
}

/** Corrects these differences. @returns those that could not be corrected */
async function correctAll(deps: OperatorDeps, differences: readonly Difference[]): Promise<Difference[]> {
  const failed: Difference[] = [];
  await inParts(deps, onePerCounter(differences), async (ofCounter) => {
    failed.push(...(await correctOne(deps, ofCounter)));
  });
  return failed;
}

const MOST_LOST_RACES = 5;

/**
 * Corrects those fields of one counter that still have the number that was read.
 * @returns the differences of fields that have changed, or whose counter was being written
 */
async function correctOne(
  { table, now }: OperatorDeps,
  [first, ...others]: Readonly<OfOneCounter>,
): Promise<readonly Difference[]> {
  const { counter } = first;
  let open: readonly Difference[] = [first, ...others];
  const changed: Difference[] = [];
  for (let lost = 0; open.length > 0 && lost < MOST_LOST_RACES;) {
    table.forget();
    const { item, counts } = await wholeCounter(table, counter);
    const stored = comparedCounts(counter, counts, now);
    const numberOf = ({ field }: Difference): number => stored[field] ?? 0;
    // A field may be right now: another rebuild has corrected it, or an earlier write whose reply was lost.
    open = open.filter((one) => numberOf(one) !== one.right);
    changed.push(...open.filter((one) => numberOf(one) !== one.stored));
    open = open.filter((one) => numberOf(one) === one.stored);
    const some = open.slice(0, MOST_FIELDS);
    const values = corrected(
      item.counts,
      some.map(({ field, stored: from, right: to }) => ({ field, from, to })),
    );
    try {
      if (some.length > 0 && outgrows(item, values)) await moveCounts(table, counter, item);
      else if (some.length > 0) {
        await correctCounter(table, counter, item, values);
        open = open.slice(some.length);
      }
    } catch (error) {
      if (!(error instanceof ConditionFailed) && !isHeld(error)) throw error;
      lost += 1;
    }
  }
  return [...changed, ...open];
}

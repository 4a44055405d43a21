import { clickOf, type Countable } from '#lib/service/reports/counting/counters.ts';
import { type Counter, counterId, dayOf, partsOf } from '#lib/service/ground/counters/counter.ts';
import { type Corrected, isOutdated } from '#lib/service/ground/counters/counter-parts.ts';
import { wholeCounter } from '#lib/service/ground/counters/counter-readings-items.ts';
import { correctCounter, findCounter } from '#lib/service/ground/counters/counters-items.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { type Day, DAY_MS, dayLater, dayOf as dayAt } from '#lib/service/ground/values/day.ts';
import { SHORTEST_CLICK_LIFE_DAYS } from '#lib/service/ground/config/click-life.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { type Comparison, correctCounters, type Difference } from '#lib/service/reports/counting/correct-counters.ts';
import { type EventSums, eventSum, type Wanted } from '#lib/service/reports/counting/event-sum.ts';
import { countersOf, eachClick, eachConversion } from '#lib/service/reports/counting/recount-items.ts';
import type { UntilCounted } from '#lib/service/reports/counting/shared-probes.ts';

/** A part of a rebuild's work that is completed. */
export interface Portion extends Corrected {
  /** The position up to which the work is done. Undefined if this part of the rebuild is done in a single portion. */
  readonly at?: string;
}

/** How many clicks are recounted together. A day is never divided. */
const MOST_CLICKS = 1_000_000;
const LAST_DAY: Day = '9999-12-31';
const LINKS_AT_ONCE = 50;

const clickCounts = new Set(['clicks', 'botClicks', 'repeatClicks']);

/** Whether a field counts the clicks of a day or minute. Totals are compared with the sum of their days instead. */
const isOfClicks = (field: string): boolean => {
  const { what, at } = partsOf(field);
  return at !== undefined && clickCounts.has(what);
};

/**
 * The first day whose clicks can all still be read. Clicks expire, so earlier days are not recounted. One day is left
 * because the rebuild takes time, and another because a part of today has already passed.
 */
const firstRecountedDay = (now: Date): Day => dayLater(dayAt(now), 2 - SHORTEST_CLICK_LIFE_DAYS);

const isOfOthers = (field: string): boolean => !isOfClicks(field);

/** Corrects the numbers of clicks, some days at a time. @param after day up to which the clicks are done */
export async function* rebuildClicks(
  deps: OperatorDeps,
  programId: number,
  after: Day | undefined,
  untilCounted: UntilCounted,
): AsyncGenerator<Portion> {
  const { table, now } = deps;
  const earliest = firstRecountedDay(now);
  const first = after === undefined || after < earliest ? earliest : dayLater(after, 1);
  const counters = (await countersOf(table, programId)).filter(({ of }) => of !== 'code');
  const latest = new Map<string, string>();
  for (const [from, to] of await portionsOf(deps, programId, first)) {
    const isWithin = (field: string): boolean => {
      const day = dayOf(partsOf(field).at ?? '');
      return isOfClicks(field) && day >= from && day <= to;
    };
    const recount = async (differences?: readonly Difference[]): Promise<EventSums> => {
      const sum = eventSum(wantedOf(deps, isWithin, differences));
      await eachClick(table, programId, daysOf(differences) ?? [from, to], (click) => {
        sum.add(click);
        const { shortLink = '', at = '' } = clickOf(click) ?? {};
        if (at > (latest.get(shortLink) ?? '')) latest.set(shortLink, at);
      });
      return sum.sums();
    };
    const outcome = await correctCounters(deps, { counters, isCompared: isWithin, recount }, untilCounted);
    const links = to === LAST_DAY ? await correctLatestClicks(deps, counters, latest) : 0;
    yield { ...outcome, corrected: outcome.corrected + links, at: to === LAST_DAY ? dayAt(now) : to };
  }
}

/**
 * Divides the days into groups that are recounted together. How many days a group has depends on the numbers of clicks
 * that are in the counters so far. The last group includes the future.
 */
async function portionsOf(deps: OperatorDeps, programId: number, first: Day): Promise<[Day, Day][]> {
  const today = dayAt(deps.now);
  const { counts } = await wholeCounter(deps.table, { of: 'program', programId });
  const portions: [Day, Day][] = [];
  let from = first;
  let clicks = 0;
  for (let day = first; day < today; day = dayLater(day, 1)) {
    clicks += (counts[`clicks@${day}`] ?? 0) + (counts[`botClicks@${day}`] ?? 0);
    if (clicks < MOST_CLICKS) continue;
    portions.push([from, day]);
    from = dayLater(day, 1);
    clicks = 0;
  }
  return [...portions, [from, LAST_DAY]];
}

/** The first and the last day on which there are differences. */
function daysOf(differences: readonly Difference[] | undefined): [Day, Day] | undefined {
  const days = differences?.map(({ field }) => dayOf(partsOf(field).at ?? '')).toSorted();
  return days?.[0] === undefined ? undefined : [days[0], days.at(-1)!];
}

/**
 * Corrects the times of the links' latest clicks. This can be done while clicks are being counted, because the consumer
 * of the stream only moves these times forward. If a time is before the recounted days, it stays, because its click may
 * have expired.
 * @returns how many were corrected
 */
async function correctLatestClicks(
  deps: OperatorDeps,
  counters: readonly Counter[],
  latest: ReadonlyMap<string, string>,
): Promise<number> {
  const links = counters.filter((counter) => counter.of === 'link');
  let count = 0;
  for (let at = 0; at < links.length; at += LINKS_AT_ONCE) {
    deps.table.forget();
    const some = links.slice(at, at + LINKS_AT_ONCE);
    const outcomes = await Promise.all(some.map((link) => correctLatestClick(deps, link, latest.get(link.shortLink))));
    count += outcomes.filter(Boolean).length;
  }
  return count;
}

/**
 * Corrects the time of a link's latest click.
 * @param right the correct time; undefined if the link has no click in the recounted days
 */
async function correctLatestClick(
  { table, now }: OperatorDeps,
  counter: Counter,
  right: string | undefined,
): Promise<boolean> {
  const item = await findCounter(table, counter);
  const { lastClickedAt: stored = '' } = item;
  const isFuture = stored > new Date(now.getTime() + DAY_MS).toISOString();
  if (!isFuture && stored >= (right ?? '')) return false;
  try {
    await correctCounter(table, counter, item, { lastClickedAt: right });
    return true;
  } catch (error) {
    // The consumer of the stream has just stored the time of a new click, so there is nothing to correct. Only a time
    // in the future would remain wrong, until the next rebuild.
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
}

/** Corrects the numbers of leads, sales, refunds and commissions, and totals that differ from their days' sum. */
export async function* rebuildConversions(
  deps: OperatorDeps,
  programId: number,
  _: string | undefined,
  untilCounted: UntilCounted,
): AsyncGenerator<Portion> {
  const { table } = deps;
  const recount = async (differences?: readonly Difference[]): Promise<EventSums> => {
    const sum = eventSum(wantedOf(deps, isOfOthers, differences));
    await eachConversion(table, programId, (event: Countable) => sum.add(event));
    return sum.sums();
  };
  const comparison: Comparison = { counters: await countersOf(table, programId), isCompared: isOfOthers, recount };
  yield await correctCounters(deps, comparison, untilCounted);
}

/** Counters of customers are left out. They are recounted separately, because there may be far more of them. */
function wantedOf(
  { now }: OperatorDeps,
  isCompared: (field: string) => boolean,
  differences: readonly Difference[] | undefined,
): Wanted {
  const named = differences && new Set(differences.map(({ counter, field }) => `${counterId(counter)} ${field}`));
  return (counter, field) =>
    counter.of !== 'customer' &&
    isCompared(field) &&
    !isOutdated(field, now) &&
    (named === undefined || named.has(`${counterId(counter)} ${field}`));
}

import { monthOf } from '#lib/service/ground/values/day.ts';
import {
  type Counter,
  type Counts,
  type FirstClicks,
  hourOf,
  isMinute,
  minuteOf,
  partsOf,
} from '#lib/service/ground/counters/counter.ts';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { MOST_WRITES, type Write } from '#lib/service/ground/table/writes.ts';

/**
 * A counter's item. All counts of a counter are in this one item, so that an event costs one write. Before the item
 * becomes larger than one write unit, its counts of days and minutes move to separate items, one for each month or
 * hour; the totals stay.
 */
export interface CounterItem {
  readonly counts: Counts;
  /** Increases with every write; undefined if there is no item. */
  readonly version?: number;
  /**
   * By shard of the stream: sequence number of the last stream record that this counter has counted. The number is
   * removed after all counters include that record.
   */
  readonly positions: Readonly<Record<string, string>>;
  /** How many times counts were moved to other items. */
  readonly moves: number;
  /** The time of the latest click; only for links. */
  readonly lastClickedAt?: string;
  /** The number of first clicks in each of the newest minutes; only for links. A rebuild ignores it. */
  readonly firstClicks?: FirstClicks;
}

type Stored = Key & Readonly<Record<string, unknown>>;

const NOTHING: CounterItem = { counts: {}, positions: {}, moves: 0 };

/** All attributes of an item that are counts. Values that are not numbers were not written by the service. */
export function countsIn(item: Stored): Counts {
  const { version: _, moves: __, [tableDefinition.timeToLiveAttribute]: ___, ...rest } = item;
  return Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

function counterItemOf(item: Stored | undefined): CounterItem {
  if (!item) return NOTHING;
  const { version, positions = {}, moves = 0, lastClickedAt, firstClicks } = item as Stored & Partial<CounterItem>;
  return { counts: countsIn(item), version, positions, moves, lastClickedAt, firstClicks };
}

export const findCounter = async (table: Table, counter: Counter): Promise<CounterItem> =>
  counterItemOf(await table.get<Stored>(keys.counter(counter)));

/** Numbers to add to a counter, and the position in the stream up to which they were counted. */
export interface Addition {
  readonly counts: Counts;
  readonly positions: CounterItem['positions'];
  readonly lastClickedAt?: string;
  readonly firstClicks?: FirstClicks;
}

/** Adds numbers to a counter. @throws ConditionFailed if the counter was written since it was read */
export const addToCounter = (
  table: Table,
  counter: Counter,
  { version }: CounterItem,
  { counts, positions, lastClickedAt, firstClicks }: Addition,
): Promise<unknown> =>
  table.update(
    keys.counter(counter),
    {
      add: { ...counts, version: 1 },
      set: { positions, ...(lastClickedAt && { lastClickedAt }), ...(firstClicks && { firstClicks }) },
    },
    { equals: { version } },
    'NONE',
  );

/** Sets counts to these values. @throws ConditionFailed if the counter was written since it was read */
export const correctCounter = (
  table: Table,
  counter: Counter,
  { version }: CounterItem,
  corrected: Readonly<Record<string, number | string | undefined>>,
): Promise<unknown> =>
  table.update(keys.counter(counter), { set: corrected, add: { version: 1 } }, { equals: { version } });

/**
 * The maximum size of an item's counts. A write unit is 1,024 bytes. The other bytes are for keys and stream positions,
 * which would not become shorter if counts moved.
 */
const LARGEST_BYTES = 750;

/**
 * Whether an item with these counts would be larger than one write unit, and could be made smaller by moving counts.
 */
export function outgrows(
  { counts, firstClicks }: CounterItem,
  added: Readonly<Record<string, number | string | undefined>>,
): boolean {
  const bytes = Object.entries({ ...added, ...counts, ...firstClicks }).reduce(
    (sum, [field, value]) => sum + field.length + bytesOf(value),
    0,
  );
  return bytes > LARGEST_BYTES && movable(counts).length > 0;
}

/** Size of a number in the table: two digits per byte. */
const bytesOf = (value: number | string = ''): number =>
  typeof value === 'number' ? 2 + Math.ceil(String(Math.abs(value)).length / 2) : value.length;

/** Maximum fields per update or move, because a DynamoDB expression is limited to 4 KB. */
export const MOST_FIELDS = 30;
const MOST_MOVED = 100;

/**
 * Returns the counts that may move to items of their months and hours. A count that has reached the largest safe
 * integer stays: its exact value is not known here, and only DynamoDB can add to it.
 */
const movable = (counts: Counts): [string, number][] =>
  Object.entries(counts)
    .filter(([field, count]) => partsOf(field).at !== undefined && Math.abs(count) < Number.MAX_SAFE_INTEGER)
    .slice(0, MOST_MOVED);

/** How long the minute counts of an hour are kept, from the start of that hour. Reports need each minute for a day. */
const HOUR_LIFE_MS = 26 * 3_600_000;

/**
 * Moves counts of days and minutes to the items of their months and hours. Minutes that reports no longer need are
 * removed instead, because in a program with few events they would be most of the moved data.
 * @throws ConditionFailed
 */
export async function moveCounts(table: Table, counter: Counter, item: CounterItem): Promise<void> {
  const moves = item.moves + 1;
  const fields = movable(item.counts);
  const oldest = oldestNeeded(fields.map(([field]) => field));
  const isKept = ([field]: [string, number]): boolean => !isMinute(partsOf(field).at!) || partsOf(field).at! > oldest;
  const [kept, dropped] = [fields.filter(isKept), fields.filter((one) => !isKept(one))];
  const groups = Map.groupBy(kept, ([field]) => keyOfPart(counter, partsOf(field).at!).sk);
  const moved = [...groups.values()].slice(0, MOST_WRITES - 1);
  const writes = moved.map((together): Write => {
    const at = partsOf(together[0]![0]).at!;
    return {
      name: 'part',
      key: keyOfPart(counter, at),
      change: {
        add: Object.fromEntries(together),
        set: { moves, ...(isMinute(at) && { expires_at: hourExpiry(at) }) },
      },
    };
  });
  const gone = Object.fromEntries([...moved.flat(), ...dropped].map(([field]) => [field, undefined]));
  const own: Write = {
    name: 'counter',
    key: keys.counter(counter),
    change: { add: { version: 1 }, set: { ...gone, moves } },
    condition: { equals: { version: item.version } },
  };
  await table.transact([own, ...writes]);
}

/**
 * The oldest minute that reports may still need: a little more than a day before the latest event. The service's clock
 * is not used, because a local run may shift it.
 */
function oldestNeeded(fields: readonly string[]): string {
  const minutes = fields.flatMap((field) => {
    const { what, at = '' } = partsOf(field);
    return isMinute(at) && what !== 'pending' ? at : [];
  });
  const latest = minutes.toSorted().at(-1);
  return latest === undefined ? '' : minuteOf(new Date(Date.parse(`${latest}Z`) - HOUR_LIFE_MS).toISOString());
}

const keyOfPart = (counter: Counter, at: string): Key =>
  isMinute(at) ? keys.counterHour(counter, hourOf(at)) : keys.counterMonth(counter, monthOf(at));

const hourExpiry = (minute: string): number =>
  Math.floor((Date.parse(`${hourOf(minute)}:00:00.000Z`) + HOUR_LIFE_MS) / 1_000);

import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { IndexName } from '#lib/service/ground/config/table-definition.ts';
import type { Key } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Entry, Listed, ListRequest } from '#lib/service/ground/table/listed.ts';

/** How many items are read per step if there is a filter: as many as one BatchGetItem can return. */
const LARGEST_STEP = 100;
/** Maximum steps per page, so that a filter with few matches does not read the whole list. */
const MOST_STEPS = 5;

interface Listing extends Pick<ListRequest, 'index' | 'newestFirst' | 'downTo'> {
  /** Returns the key of the item to read for a listed key; by default the listed key itself. */
  readonly keyOf?: (listed: Key) => Key;
}

const itself = ({ pk, sk }: Key): Key => ({ pk, sk });

interface Placed<Item> {
  readonly position: string;
  readonly item: Item;
}

/**
 * One page of the items that pass a filter. At most a limited number of items is read. If few of them pass, the page is
 * short or empty, and the next page continues after the items that were read.
 * @param read reads a part of the list; returns the items that pass, and where the next part begins
 */
export async function keptPage<Item>(
  { most, after }: PageRequest,
  read: (part: PageRequest) => Promise<Page<Placed<Item>>>,
): Promise<Page<Item>> {
  const kept: Placed<Item>[] = [];
  let next = after;
  for (let step = 1; step <= MOST_STEPS && kept.length <= most; step++) {
    // One item more than requested is read, to find out whether there is a next page.
    const part = await read({ most: step === 1 ? most + 1 : LARGEST_STEP, after: next });
    kept.push(...part.items);
    ({ next } = part);
    if (next === undefined) break;
  }
  const page = kept.slice(0, most);
  return { items: page.map(({ item }) => item), next: kept.length > most ? page.at(-1)?.position : next };
}

/**
 * Reads keys listed under several index keys and merges them in order. A single position is enough to continue all
 * these lists.
 */
async function mergedList(table: Table, lists: readonly string[], request: ListRequest): Promise<Listed> {
  if (lists.length === 0) return { entries: [] };
  const parts = await Promise.all(lists.map((list) => table.list(list, request)));
  if (parts.length === 1) return parts[0]!;
  const merged = inOrder(parts.flatMap(({ entries }) => entries));
  const entries = merged.slice(0, request.most);
  const isCut = merged.length > entries.length || parts.some(({ next }) => next !== undefined);
  return { entries, next: isCut ? entries.at(-1)?.position : undefined };
}

export const inOrder = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted((one, other) => (one.position < other.position ? -1 : 1));

/**
 * One page of the items listed under an index key, or under several, merged (oldest first).
 * @param keep returns false to leave an item out
 */
export const pageOf = <Item>(
  table: Table,
  lists: string | readonly string[],
  page: PageRequest,
  keep: (item: Item) => boolean = () => true,
  { keyOf = itself, ...range }: Listing = {},
): Promise<Page<Item>> =>
  keptPage(page, async (part) => {
    const { entries, next } = await mergedList(table, [lists].flat(), { ...part, ...range });
    const items = await Promise.all(entries.map((key) => table.get<Item>(keyOf(key))));
    const kept = entries.flatMap(({ position }, index) => {
      const item = items[index];
      return item !== undefined && keep(item) ? [{ position, item }] : [];
    });
    return { items: kept, next };
  });

/** Keys per index query when all items are needed; their items are read in ten parallel batches. */
const STRIDE = 1_000;

/** All items listed under an index key. */
export async function everyListed<Item>(
  table: Table,
  list: string,
  { keyOf = itself, ...range }: Listing = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const { entries, next } = await table.list(list, { most: STRIDE, after, ...range });
    const found = await Promise.all(entries.map((key) => table.get<Item>(keyOf(key))));
    items.push(...found.filter((item) => item !== undefined));
    after = next;
  } while (after !== undefined);
  return items;
}

interface Selection<Item> {
  /** Selects items by their key alone. */
  readonly isWanted?: (listed: Key) => boolean;
  /** Selects items by their content, which requires reading every item of the list. */
  readonly keep?: (item: Item) => boolean;
  /** Set if the caller knows how many items there are. Otherwise the whole list is read to count them. */
  readonly isCounted?: boolean;
}

/**
 * Keys of the first selected items under an index key, and the number of all selected items, unless the caller knows
 * that number.
 */
export async function firstListed<Item>(
  table: Table,
  list: string,
  most: number,
  { isWanted = () => true, keep, isCounted = false }: Selection<Item>,
): Promise<{ readonly entries: readonly Entry[]; readonly count: number }> {
  const enough = isCounted ? most : Infinity;
  const first: Entry[] = [];
  let count = 0;
  let after: string | undefined;
  do {
    const { entries, next } = await table.list(list, { most: STRIDE, after });
    const wanted = entries.filter(isWanted);
    const items = keep && (await Promise.all(wanted.map((key) => table.get<Item>(itself(key)))));
    const selected = wanted.filter((_, index) => {
      const item = items?.[index];
      return keep === undefined || (item !== undefined && keep(item));
    });
    count += selected.length;
    first.push(...selected.slice(0, most - first.length));
    after = next;
  } while (after !== undefined && count < enough);
  return { entries: first, count };
}

/** Keys listed under an index key, page by page, so that each page can be processed before the next is read. */
export async function* pagesOf(
  table: Table,
  list: string,
  since?: string,
  index?: IndexName,
): AsyncGenerator<readonly Entry[]> {
  let after = since;
  do {
    const { entries, next } = await table.list(list, { most: LARGEST_STEP, after, index });
    yield entries;
    after = next;
  } while (after !== undefined);
}

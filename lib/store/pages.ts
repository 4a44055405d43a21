import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { IndexKey, Key } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';

/** Where a filter leaves out many items the rest is looked through in these steps: what one BatchGetItem takes. */
const LARGEST_STEP = 100;

interface Listing {
  readonly newestFirst?: boolean;
  /** The item that a listed key stands for; absent = the listed one itself. */
  readonly keyOf?: (listed: Key) => Key;
}

const itself = ({ pk, sk }: Key): Key => ({ pk, sk });

/** A page of the items listed under a key of the index. @param keep leaves out items; a page is full all the same */
export async function pageOf<Item>(
  table: Table,
  gsi1pk: string,
  { most, after }: PageRequest,
  keep: (item: Item) => boolean = () => true,
  { newestFirst = false, keyOf = itself }: Listing = {},
): Promise<Page<Item>> {
  const kept: { readonly position: string; readonly item: Item }[] = [];
  // One more than asked for tells whether there is a next page.
  const wanted = most + 1;
  let step = wanted;
  let from = after;
  let isEnd = false;
  while (kept.length < wanted && !isEnd) {
    const listed = await table.list(gsi1pk, { most: step, after: from, newestFirst });
    const items = await Promise.all(listed.map((key) => table.get<Item>(keyOf(key))));
    for (const [index, item] of items.entries()) {
      if (item !== undefined && keep(item)) kept.push({ position: listed[index]!.gsi1sk, item });
    }
    from = listed.at(-1)?.gsi1sk;
    isEnd = listed.length < step;
    step = LARGEST_STEP;
  }
  const page = kept.slice(0, most);
  return { items: page.map(({ item }) => item), next: kept.length > most ? page.at(-1)?.position : undefined };
}

/** Keys that one query of the index takes at a time where all are wanted; their items travel in ten batches at once. */
const STRIDE = 1_000;

/** Every item listed under a key of the index. */
export async function everyListed<Item>(
  table: Table,
  gsi1pk: string,
  { newestFirst = false, keyOf = itself }: Listing = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const listed = await table.list(gsi1pk, { most: STRIDE, after, newestFirst });
    const found = await Promise.all(listed.map((key) => table.get<Item>(keyOf(key))));
    items.push(...found.filter((item) => item !== undefined));
    after = listed.length < STRIDE ? undefined : listed.at(-1)?.gsi1sk;
  } while (after);
  return items;
}

/** Keys listed under a key of the index, page by page, for what is done with each page before the next is read. */
export async function* pagesOf(table: Table, gsi1pk: string, since?: string): AsyncGenerator<(Key & IndexKey)[]> {
  let after = since;
  do {
    const page = await table.list(gsi1pk, { most: LARGEST_STEP, after });
    yield page;
    after = page.length === LARGEST_STEP ? page.at(-1)?.gsi1sk : undefined;
  } while (after !== undefined);
}

import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Table } from '#lib/store/table.ts';

/** Where a filter leaves out many items the rest is looked through in these steps: what one BatchGetItem takes. */
const LARGEST_STEP = 100;

/** A page of the items listed under a key of the index. @param keep leaves out items; a page is full all the same */
export async function pageOf<Item>(
  table: Table,
  gsi1pk: string,
  { most, after }: PageRequest,
  keep: (item: Item) => boolean = () => true,
  newestFirst = false,
): Promise<Page<Item>> {
  const kept: { readonly position: string; readonly item: Item }[] = [];
  // One more than asked for tells whether there is a next page.
  const wanted = most + 1;
  let step = wanted;
  let from = after;
  let isEnd = false;
  while (kept.length < wanted && !isEnd) {
    const listed = await table.list(gsi1pk, { most: step, after: from, newestFirst });
    const items = await Promise.all(listed.map((key) => table.get<Item>({ pk: key.pk, sk: key.sk })));
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

import type { Key } from '#test/support/memory-table/keys.ts';
import type { Place } from '#test/support/memory-table/expressions/ordered.ts';
import { itemBytes } from '#test/support/memory-table/units/sizes.ts';
import type { Item } from '#test/support/memory-table/expressions/values.ts';

export interface Row {
  readonly place: Place;
  readonly item: Item;
  readonly bytes: number;
}

/** An item before and after a write. Each is undefined if the item does not exist then. */
export interface Change {
  readonly key: Key;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

export const rowOf = (item: Item, { sk }: Key): Row => ({ place: [sk], item, bytes: itemBytes(item) });

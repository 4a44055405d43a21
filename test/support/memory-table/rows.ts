import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';
import { indexKeyOf, type Key, keyAttributes, type KeySchema } from '#test/support/memory-table/keys.ts';
import { Ordered } from '#test/support/memory-table/expressions/ordered.ts';
import type { Change, Row } from '#test/support/memory-table/row.ts';
import { itemBytes } from '#test/support/memory-table/units/sizes.ts';
import { StreamLog } from '#test/support/memory-table/stream-log.ts';

type Partitions = Map<string, Ordered<Row>>;

/** The table or one of its indexes. */
export interface Readable extends KeySchema {
  readonly partitions: Partitions;
  /** Name of the index; undefined for the table itself. */
  readonly name?: string;
}

/** The contents of a table and of its indexes. */
export class Rows {
  readonly base: Readable = {
    partitions: new Map(),
    partitionKey: tableDefinition.partitionKey,
    sortKey: tableDefinition.sortKey,
  };
  readonly indexes = tableDefinition.indexes.map((index) => ({ ...index, partitions: new Map() as Partitions }));
  readonly log: StreamLog;

  constructor(tableName: string) {
    this.log = new StreamLog(tableName);
  }

  find({ pk, sk }: Key): Row | undefined {
    return this.base.partitions.get(pk)?.find([sk]);
  }

  /** Returns an item's rows in the indexes, before and after a change. An unchanged row is the same object in both. */
  indexChanges({ key, before, after }: Change) {
    return this.indexes.map((index) => {
      const was = before && indexKeyOf(before.item, index);
      const is = after && indexKeyOf(after.item, index);
      const rowIn = (indexKey: Key, { item }: Row): Row => {
        const listed = keyAttributes(item, index);
        return { place: [indexKey.sk, key.pk, key.sk], item: listed, bytes: itemBytes(listed) };
      };
      const isSame = was?.pk === is?.pk && was?.sk === is?.sk;
      return {
        index,
        removed: isSame || !was ? undefined : { pk: was.pk, row: rowIn(was, before) },
        added: isSame || !is ? undefined : { pk: is.pk, row: rowIn(is, after) },
      };
    });
  }

  apply(change: Change): void {
    const { key, before, after } = change;
    if (after) placed(this.base.partitions, key.pk, after);
    else if (before) this.base.partitions.get(key.pk)?.remove(before.place);
    for (const { index, removed, added } of this.indexChanges(change)) {
      if (removed) index.partitions.get(removed.pk)?.remove(removed.row.place);
      if (added) placed(index.partitions, added.pk, added.row);
    }
    this.log.note(change);
  }
}

/**
 * Adds a row to its partition. A partition that becomes empty is kept, because a scan may have to continue after it.
 */
function placed(partitions: Partitions, pk: string, row: Row): void {
  let partition = partitions.get(pk);
  if (!partition) partitions.set(pk, (partition = new Ordered<Row>()));
  partition.put(row);
}

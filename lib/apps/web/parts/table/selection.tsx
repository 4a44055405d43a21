import { useState } from 'preact/hooks';

/** Identifies a row. */
export type Key = string | number;

/** The rows that the person has selected for an action on all of them. */
export interface Selection<Row> {
  readonly keys: ReadonlySet<Key>;
  readonly keyOf: (row: Row) => Key;
  /** Whether a row can be selected. It cannot if no action is possible for it. */
  readonly isSelectable: (row: Row) => boolean;
  /** Names the row for screen readers. */
  readonly labelOf: (row: Row) => string;
  readonly set: (rows: readonly Row[], isSelected: boolean) => void;
  readonly clear: () => void;
}

export function useSelection<Row>(of: Pick<Selection<Row>, 'keyOf' | 'isSelectable' | 'labelOf'>): Selection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set());
  return {
    ...of,
    keys,
    set: (rows, isSelected) =>
      setKeys((before) => {
        const changed = new Set(rows.filter((row) => of.isSelectable(row)).map((row) => of.keyOf(row)));
        return isSelected ? before.union(changed) : before.difference(changed);
      }),
    clear: () => setKeys(new Set()),
  };
}

interface SelectRowProps<Row> {
  readonly selection: Selection<Row>;
  readonly row: Row;
}

export const SelectRow = <Row,>({ selection, row }: SelectRowProps<Row>) =>
  selection.isSelectable(row) ? (
    <input
      type="checkbox"
      aria-label={`Select ${selection.labelOf(row)}`}
      checked={selection.keys.has(selection.keyOf(row))}
      onChange={(event) => selection.set([row], event.currentTarget.checked)}
    />
  ) : null;

interface SelectAllProps<Row> {
  readonly selection: Selection<Row>;
  readonly rows: readonly Row[];
}

export function SelectAll<Row>({ selection, rows }: SelectAllProps<Row>) {
  const selectable = rows.filter((row) => selection.isSelectable(row));
  if (selectable.length === 0) return null;
  return (
    <input
      type="checkbox"
      aria-label="Select all that are shown"
      checked={selectable.every((row) => selection.keys.has(selection.keyOf(row)))}
      onChange={(event) => selection.set(selectable, event.currentTarget.checked)}
    />
  );
}

import { ArrowDown } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useFits } from '#lib/apps/web/hooks/use-fits.ts';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';
import { type Key, SelectAll, SelectRow, type Selection } from '#lib/apps/web/parts/table/selection.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Whether the column contains numbers. They are aligned to the right. */
  readonly isNumber?: boolean;
  /** If true, only screen readers and the narrow form of the table have the title. */
  readonly isUntitled?: boolean;
  /** The value of the API's parameter `sort` that sorts by this column. */
  readonly sort?: string;
}

export interface Sorting {
  readonly by: string;
  readonly onSort: (by: string) => void;
}

export interface TableProps<Row> {
  readonly label: string;
  /** The columns. The cell of the first one is the header of its row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  readonly sorting?: Sorting;
  readonly selection?: Selection<Row>;
  /** Width of the window in pixels below which rows are always shown as cards. */
  readonly tableFrom?: number;
}

/**
 * A table. If its columns do not fit into the window, each row becomes a card, whose cells contain the column titles.
 */
export function Table<Row>({ label, columns, rows, keyOf, sorting, selection, tableFrom }: TableProps<Row>) {
  const { place, fits } = useFits(tableFrom);
  return (
    <div ref={place}>
      <table class={`table ${fits ? '' : 'cards'}`} aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" class="select">
                <SelectAll selection={selection} rows={rows} />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.title} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {selection && (
                <td class="select">
                  <SelectRow selection={selection} row={row} />
                </td>
              )}
              {columns.map((column, at) => (
                <Cell key={column.title} column={column} row={row} isHead={at === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  /** Whether this cell is the header of its row. */
  readonly isHead: boolean;
}

function Cell<Row>({ column: { title, cell, isNumber, isUntitled }, row, isHead }: CellProps<Row>) {
  const Element = isHead ? 'th' : 'td';
  return (
    <Element
      scope={isHead ? 'row' : undefined}
      class={isNumber ? 'number' : undefined}
      data-title={isUntitled ? undefined : title}
    >
      <div class="cell">{cell(row)}</div>
    </Element>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sorting?: Sorting;
}

function Heading<Row>({ column: { title, isNumber, isUntitled, sort }, sorting }: HeadingProps<Row>) {
  const isSorted = sort !== undefined && sort === sorting?.by;
  return (
    <th scope="col" class={isNumber ? 'number' : undefined} aria-sort={isSorted ? 'descending' : undefined}>
      {sorting && sort !== undefined ? (
        <button type="button" class="sort" onClick={() => sorting.onSort(sort)}>
          {title}
          {isSorted && <Icon of={ArrowDown} />}
        </button>
      ) : (
        <span class={isUntitled ? 'visually-hidden' : undefined}>{title}</span>
      )}
    </th>
  );
}

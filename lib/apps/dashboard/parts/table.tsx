import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** The title is for those only who do not see the table's form. */
  readonly isUntitled?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}

/** On a narrow screen each row becomes a card whose cells carry their titles. */
export const Table = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => (
  <table class="table" aria-label={label}>
    <thead>
      <tr>
        {columns.map(({ title, isNumber, isUntitled }) => (
          <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
            <span class={isUntitled ? 'visually-hidden' : undefined}>{title}</span>
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map(({ title, cell, isNumber, isUntitled }) => (
            <td key={title} class={isNumber ? 'number' : undefined} data-title={isUntitled ? undefined : title}>
              <div class="cell">{cell(row)}</div>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

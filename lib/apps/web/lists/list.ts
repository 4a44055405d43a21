import type { ComponentChildren } from 'preact';
import type { Api, Query } from '#lib/apps/web/api/api.ts';
import type { Exported, Task } from '#lib/apps/web/api/gather-rows.ts';
import type { Filters } from '#lib/apps/web/hooks/use-filters.ts';
import type { Key } from '#lib/apps/web/parts/table/selection.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import type { Period } from '#lib/apps/web/period.ts';

/** The declaration of a list. Its page, its filters, its table and its CSV file are all derived from it. */
export interface List<Row> {
  /** Last part of the list's path in the API. The name of the CSV file begins with it. */
  readonly name: string;
  readonly title: string;
  readonly keyOf: (row: Row) => Key;
  /** The columns in the order of the table and of the CSV file. */
  readonly columns: readonly ListColumn<Row>[];
  readonly filters?: readonly ListFilter[];
  /** Width of the window in pixels below which rows are always shown as cards. */
  readonly tableFrom?: number;
  /** Creates the CSV file; undefined if the list has no CSV file. */
  readonly csv?: CsvMaker;
  /** What is shown if the list has no rows and no filter is set. */
  readonly empty: ComponentChildren;
  /** What is shown if no row matches the filters: a title, and the text of a button that resets the filters. */
  readonly noMatch?: {
    readonly title: string | ((filters: Pick<Filters<string>, 'values' | 'changed'>) => string);
    readonly showAll?: string;
  };
}

/** A column of the table, of the CSV file, or of both. */
export type ListColumn<Row> = CsvPart<Row> & (Column<Row> | { readonly title?: undefined });

interface CsvPart<Row> {
  /**
   * What the CSV file contains: names of the row's fields, or functions that return the values, by name of the CSV
   * column.
   */
  readonly csv?: readonly CsvField<Row>[] | CsvColumns<Row>;
  /** A kind of amount, such as `revenue_cents`. In the CSV file, all amounts of a currency are next to each other. */
  readonly amounts?: string;
}

/**
 * A number as decimal text. In CSV files, other texts that begin with `-` are escaped, because Excel would read a
 * formula.
 */
interface Decimal {
  readonly decimal: string;
}

/** A value that a cell of a CSV file can contain. */
export type CsvValue = string | number | boolean | Decimal | null | undefined;

/** The columns of a CSV file, in order: a function that returns the value, by name of the column. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

/** Names of a row's fields whose values a CSV file can contain unchanged. */
type CsvField<Row> = Row extends unknown
  ? keyof { [Name in keyof Row & string as Row[Name] extends CsvValue ? Name : never]: true }
  : never;

/** Returns a task that creates the CSV file of a list. @throws ApiError while the task runs */
export type CsvMaker = <Row>(
  list: List<Row>,
  api: Api,
  path: string,
  query: Query,
) => (task: Task) => Promise<Exported>;

/** Downloads the file from the service, which creates it with all rows, however many. */
export const csvOfService: CsvMaker = (_, api, path, query) => async () => ({
  content: await api.download(`${path}.csv`, query),
  isWhole: true,
});

/** Maximum number of rows that the API sorts by a figure. If the list has more, these are its oldest rows. */
export const MOST_SORTED = 10_000;

/** Returns the name of a CSV file: `links-1.csv`, or with a period `links-1-2026-11-01-2026-11-23.csv`. */
export const csvName = (list: string, programId?: number, { from, to }: Period = {}): string =>
  `${[list, programId, from, to].filter((part) => part !== undefined).join('-')}.csv`;

export interface ListFilter {
  /** Initial values, by name in the page's address. Except for a period, the API has the same names. */
  readonly values: Readonly<Record<string, string>>;
  readonly field: (filters: Pick<Filters<string>, 'values' | 'change'>) => ComponentChildren;
  /** If true, the filter is always visible, above the other filters. */
  readonly isChips?: boolean;
  /** True if the filter does not leave rows out, but changes their figures or their order. */
  readonly keepsRows?: boolean;
}

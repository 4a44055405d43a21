import type { ComponentChildren } from 'preact';
import type { Api, Query } from '#lib/apps/web/api/api.ts';
import type { Exported, Task } from '#lib/apps/web/api/gather-rows.ts';
import type { Filters } from '#lib/apps/web/hooks/use-filters.ts';
import type { Key } from '#lib/apps/web/parts/table/selection.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import type { Period } from '#lib/apps/web/period.ts';

/** A list of the API, declared once: its page, filters, table and CSV file derive from this. */
export interface List<Row> {
  /** Last part of the list's path in the API; the CSV file has the same name. */
  readonly name: string;
  readonly title: string;
  readonly keyOf: (row: Row) => Key;
  /** The columns in the order of the table and of the CSV file. */
  readonly columns: readonly ListColumn<Row>[];
  readonly filters?: readonly ListFilter[];
  /** Width of the window in pixels below which rows are cards in any case. */
  readonly tableFrom?: number;
  /** Creates the CSV file. Undefined if the list has none. */
  readonly csv?: CsvMaker;
  /** The content that is shown if there are no rows and no filters. */
  readonly empty: ComponentChildren;
  /** The content that is shown if no row matches the filters: a title, and the text of a button that resets them. */
  readonly noMatch?: {
    readonly title: string | ((filters: Pick<Filters<string>, 'values' | 'changed'>) => string);
    readonly showAll?: string;
  };
}

/** A column of the table, of the CSV file, or of both. */
export type ListColumn<Row> = CsvPart<Row> & (Column<Row> | { readonly title?: undefined });

interface CsvPart<Row> {
  /** The row's fields to write by their own names, or other values by column name. */
  readonly csv?: readonly CsvField<Row>[] | CsvColumns<Row>;
  /** A kind of amount, such as `revenue_cents`. The file groups all kinds of the list by currency. */
  readonly amounts?: string;
}

/** A decimal number. Its leading `-` is a sign, so it is not escaped as a formula. */
interface Decimal {
  readonly decimal: string;
}

/** The value of a cell in a CSV file. */
export type CsvValue = string | number | boolean | Decimal | null | undefined;

/** The columns of a CSV file by name, in order. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

/** Fields of any type of row that a CSV file can contain unchanged. */
type CsvField<Row> = Row extends unknown
  ? keyof { [Name in keyof Row & string as Row[Name] extends CsvValue ? Name : never]: true }
  : never;

/** Collects the rows of a list. @throws ApiError while the task runs */
export type CsvMaker = <Row>(
  list: List<Row>,
  api: Api,
  path: string,
  query: Query,
) => (task: Task) => Promise<Exported>;

/** Gets the file from the service, which creates it with any number of rows. */
export const csvOfService: CsvMaker = (_, api, path, query) => async () => ({
  content: await api.download(`${path}.csv`, query),
  isWhole: true,
});

/** Maximum number of rows that the API sorts by a figure: the oldest ones. */
export const MOST_SORTED = 10_000;

/** Name of a CSV file, for example `links-1.csv` or `links-1-2026-11-01-2026-11-23.csv`. */
export const csvName = (list: string, programId?: number, { from, to }: Period = {}): string =>
  `${[list, programId, from, to].filter((part) => part !== undefined).join('-')}.csv`;

export interface ListFilter {
  /** Initial values. The names are those of the page's address and, except for a period, of the API. */
  readonly values: Readonly<Record<string, string>>;
  readonly field: (filters: Pick<Filters<string>, 'values' | 'change'>) => ComponentChildren;
  /** Chips are always visible, above the other filters. */
  readonly isChips?: boolean;
  /** True if the filter changes the figures or order of the rows, and not which rows there are. */
  readonly keepsRows?: boolean;
}

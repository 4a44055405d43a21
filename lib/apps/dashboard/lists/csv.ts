import type { Api, Query } from '#lib/apps/web/api/api.ts';
import { gatherRows, type Task } from '#lib/apps/web/api/gather-rows.ts';
import { decimalText } from '#lib/apps/web/format.ts';
import type { WithAmounts } from '#lib/apps/dashboard/figures.ts';
import type { CsvColumns, CsvMaker, CsvValue, List } from '#lib/apps/web/lists/list.ts';

/**
 * Creates a list's CSV file in the browser. The rows are in the list's usual order, even if the person has sorted the
 * list by a figure: the API sorts at most 10,000 rows by a figure.
 */
export const csvOfRows: CsvMaker =
  <Row>(list: List<Row>, api: Pick<Api, 'answer'>, path: string, query: Query) =>
  async (task: Task) => {
    const { rows, isWhole } = await gatherRows<Row>(api, path, { ...query, sort: undefined }, task);
    const text = csvText(csvColumns(list, rows), rows);
    return { content: new Blob([text], { type: 'text/csv;charset=utf-8' }), isWhole };
  };

/**
 * Returns the columns of a list's CSV file. Amounts have a column for each kind and currency that occurs, in cents.
 * After all columns, these amounts follow once more, in currency units.
 */
export function csvColumns<Row>(list: Pick<List<Row>, 'columns'>, rows: readonly Row[]): CsvColumns<Row> {
  const columns = columnsInCents(list, rows);
  return { ...columns, ...columnsInUnits(columns) };
}

const IN_CENTS = /^(.+)_cents(?:_([A-Z]{3}))?$/;

/** For each column such as `amount_cents` or `revenue_cents_USD`, adds a column `amount` or `revenue_USD`. */
const columnsInUnits = <Row>(columns: CsvColumns<Row>): CsvColumns<Row> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, centsOf]) => {
      const [, kind, currency] = IN_CENTS.exec(name) ?? [];
      if (kind === undefined) return [];
      const unitsOf = (row: Row): CsvValue => {
        const cents = centsOf(row);
        const inCurrency = currency ?? (row as { readonly currency?: string }).currency;
        return typeof cents === 'number' && inCurrency ? { decimal: decimalText(cents, inCurrency) } : undefined;
      };
      return [[currency ? `${kind}_${currency}` : kind, unitsOf]];
    }),
  );

function columnsInCents<Row>({ columns }: Pick<List<Row>, 'columns'>, rows: readonly Row[]): CsvColumns<Row> {
  const kinds = columns.flatMap(({ amounts }) => amounts ?? []);
  return Object.assign(
    {},
    ...columns.flatMap(({ csv, amounts }) => [
      Array.isArray(csv) ? Object.fromEntries((csv as readonly string[]).map((name) => [name, field(name)])) : csv,
      // Each column with amounts adds the columns of all kinds of amounts. A column that exists already keeps its
      // position, so they all stay where the first column with amounts is.
      amounts && amountColumns(kinds, rows as readonly (Row & WithAmounts<string>)[]),
    ]),
  );
}

/** Returns a function that reads a field. Rows of some types may not have the field. */
const field =
  (name: string) =>
  (row: Readonly<Record<string, CsvValue>>): CsvValue =>
    row[name];

/**
 * Matches positions at which a spreadsheet could begin to read a formula: the beginning of a text, and positions after
 * characters that end a cell in some locales, even inside quotes. The service's own files are written by the same rule.
 */
const FORMULA = /^(?=[\t\r])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",;\t\r\n]/;

function cellText(cell: CsvValue): string {
  if (typeof cell === 'object' && cell) return cell.decimal;
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = cell.replaceAll(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineOf = (cells: readonly CsvValue[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** Formats the file as in RFC 4180: a line with the names of the columns, then a line per row. */
export const csvText = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cell) => cell(row)))].map(lineOf).join('');

/** Returns a column for each kind of amount and currency that occurs, such as `revenue_cents_USD`. */
export function amountColumns<Kind extends string, Row extends WithAmounts<Kind>>(
  kinds: readonly Kind[],
  rows: readonly Row[],
): CsvColumns<Row> {
  const currencies = [...new Set(rows.flatMap(({ amounts }) => Object.keys(amounts)))].toSorted();
  return Object.fromEntries(
    currencies.flatMap((currency) =>
      kinds.map((kind) => [`${kind}_${currency}`, ({ amounts }: Row) => amounts[currency]?.[kind]]),
    ),
  );
}

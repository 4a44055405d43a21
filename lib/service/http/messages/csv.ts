import type { Currency } from '#lib/service/ground/values/currency.ts';
import { decimalText } from '#lib/service/ground/values/money.ts';

/** A decimal number in a cell. A leading `-` is its sign; in a text it could begin a formula. */
interface Decimal {
  readonly decimal: string;
}

type Cell = string | number | Decimal | undefined;

/** An amount with the decimals of its currency. */
export const amountCell = (amountCents: number, currency: Currency): Decimal => ({
  decimal: decimalText(amountCents, currency),
});

/**
 * Matches the positions where a spreadsheet would start a formula: at the beginning, and after characters that some
 * locales treat as the end of a cell even within quotes. Some spreadsheets also accept full-width signs.
 */
const FORMULA = /^(?=[\t\r])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",;\t\r\n]/;

function cellText(cell: Cell): string {
  if (typeof cell === 'object') return cell.decimal;
  if (typeof cell !== 'string') return String(cell ?? '');
  return quoted(cell.replaceAll(FORMULA, "'"));
}

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** A line of texts that contain no formula. */
export const plainLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

/** The byte order mark, by which spreadsheets recognize the encoding. */
const MARK = '\uFEFF';

/** A text file. It begins with a byte order mark if the query contains `bom=1`. */
export const markedText = ({ bom }: Readonly<Record<string, string | undefined>>, text: string): string =>
  bom === '1' ? MARK + text : text;

/** CSV according to RFC 4180: the header line, and lines for each batch of rows. @param columns by name, in order */
export const csvOf = <Row>(columns: Columns<Row>) => ({
  header: lineOf(Object.keys(columns)),
  lines: (rows: readonly Row[]): string =>
    rows.map((row) => lineOf(Object.values(columns).map((cell) => cell(row)))).join(''),
});

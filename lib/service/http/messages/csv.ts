type Cell = string | number | undefined;

/**
 * Positions where a spreadsheet would start a formula: at the beginning, and after characters that some locales treat
 * as the end of a cell even within quotes. Some spreadsheets also accept full-width signs.
 */
const FORMULA = /^(?=[\t\r])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",;\t\r\n]/;

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = cell.replaceAll(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** CSV according to RFC 4180: the header line, and lines for each batch of rows. @param columns by name, in order */
export const csvOf = <Row>(columns: Columns<Row>) => ({
  header: lineOf(Object.keys(columns)),
  lines: (rows: readonly Row[]): string =>
    rows.map((row) => lineOf(Object.values(columns).map((cell) => cell(row)))).join(''),
});

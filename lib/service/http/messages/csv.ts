type Cell = string | number | undefined;

/**
 * Where a spreadsheet would read a formula: at the beginning, and after characters that some locales treat as the end
 * of a cell in spite of the quotes. Some also accept full-width signs.
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

/** RFC 4180: the header line, and the lines of as many rows as there are at a time. @param columns by name, in order */
export const csvOf = <Row>(columns: Columns<Row>) => ({
  header: lineOf(Object.keys(columns)),
  lines: (rows: readonly Row[]): string =>
    rows.map((row) => lineOf(Object.values(columns).map((cell) => cell(row)))).join(''),
});

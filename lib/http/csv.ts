type Cell = string | number | undefined;

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
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

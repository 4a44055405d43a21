type Cell = string | number | undefined;

/**
 * Where a spreadsheet would see a formula: at the beginning, and behind what some countries' spreadsheets take for the
 * end of a cell in spite of the quotes. Full-width signs count as signs in some of them.
 */
const FORMULA = /^(?=[\t\r])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",;\t\r\n]/;

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = cell.replaceAll(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with a header line. @param columns by name, in order */
export function csv<Row>(columns: Readonly<Record<string, (row: Row) => Cell>>, rows: readonly Row[]): string {
  const cells = Object.values(columns);
  const lines = [Object.keys(columns), ...rows.map((row) => cells.map((cell) => cell(row)))];
  return lines.map((line) => `${line.map(cellText).join(',')}\r\n`).join('');
}

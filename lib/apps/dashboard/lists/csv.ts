type Cell = string | number | boolean | null | undefined;

/** A file's columns by name, in order. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/**
 * Positions where a spreadsheet would read a formula: at the beginning, and after characters that some locales treat as
 * the end of a cell despite the quotes. Some also accept full-width signs. The service's own files use the same rule.
 */
const FORMULA = /^(?=[\t\r])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",;\t\r\n]/;

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = cell.replaceAll(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** RFC 4180: a line of names, and one per row. */
export const csvText = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cell) => cell(row)))].map(lineOf).join('');

/** One column per kind of amount and currency that occurs, such as `revenue_cents_USD`. */
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

interface WithAmounts<Kind extends string> {
  readonly amounts: Readonly<Record<string, Readonly<Record<Kind, number | null>> | undefined>>;
}

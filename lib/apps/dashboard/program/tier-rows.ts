/** A tier while it is being entered: the number of sales from which the rate applies, and the rate. */
export interface TierRow {
  readonly from: string;
  readonly rate: string;
}

/** Reads the rows in a text with one tier per line, such as `10 25`. */
export const rowsIn = (text: string): TierRow[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [from = '', ...rate] = line.trim().split(/\s+/);
      return { from, rate: rate.join(' ') };
    });

/**
 * Writes rows as a text, without empty ones. If a row has only one of its two values, the text has one too, and the
 * service rejects it.
 */
export const rowsText = (rows: readonly TierRow[]): string =>
  rows
    .filter(({ from, rate }) => `${from}${rate}`.trim() !== '')
    .map(({ from, rate }) => `${from.trim() || '?'} ${rate.trim()}`.trim())
    .join('\n');

/** A commission tier as it is entered: the number of sales from which it applies, and the rate. */
export interface TierRow {
  readonly from: string;
  readonly rate: string;
}

/** Rows from a text with one tier per line, such as `10 25`. */
export const rowsIn = (text: string): TierRow[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [from = '', ...rate] = line.trim().split(/\s+/);
      return { from, rate: rate.join(' ') };
    });

/**
 * Rows as one text without the empty ones. A row with only one of the two values stays incomplete, so that the service
 * refuses it.
 */
export const rowsText = (rows: readonly TierRow[]): string =>
  rows
    .filter(({ from, rate }) => `${from}${rate}`.trim() !== '')
    .map(({ from, rate }) => `${from.trim() || '?'} ${rate.trim()}`.trim())
    .join('\n');

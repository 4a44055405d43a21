/** A step of higher rates as it is entered: the number of sales, and the rate. */
export interface TierRow {
  readonly from: string;
  readonly rate: string;
}

/** Rows of steps that are written one per line, such as `10 25`. */
export const rowsIn = (text: string): TierRow[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [from = '', ...rate] = line.trim().split(/\s+/);
      return { from, rate: rate.join(' ') };
    });

/** Rows as one text; empty ones are left out. What is missing of a step stays missing, so that the service refuses it. */
export const rowsText = (rows: readonly TierRow[]): string =>
  rows
    .filter(({ from, rate }) => `${from}${rate}`.trim() !== '')
    .map(({ from, rate }) => `${from.trim() || '?'} ${rate.trim()}`.trim())
    .join('\n');

import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { PayoutSums } from '#lib/service/earnings/payouts/payout.ts';
import { type LineStatus, lineStatuses, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';

/**
 * Number and cents of a payout's lines by status and currency, such as `sentLinesUSD` and `sentCentsUSD`. Lines in
 * status `recorded` have no counts: every uncounted line has it. So a payout needs no counts until a line is marked.
 */
export type StoredCounts = Readonly<Record<string, number>>;

const linesName = (status: LineStatus, currency: Currency): string => `${status}Lines${currency}`;
const centsName = (status: LineStatus, currency: Currency): string => `${status}Cents${currency}`;

interface CountedLines {
  readonly lines: number;
  readonly totals: Readonly<Record<Currency, number>>;
}

/** Lines and amounts of a payout by status. */
export const countsByStatus = (sums: PayoutSums, stored: StoredCounts = {}): Record<LineStatus, CountedLines> => {
  const currencies = Object.keys(sums);
  const counted = (status: LineStatus): CountedLines => {
    const inCurrency = currencies.map((currency) => {
      const lines = stored[linesName(status, currency)] ?? 0;
      return { currency, lines, cents: stored[centsName(status, currency)] ?? 0 };
    });
    return joined(inCurrency);
  };
  const marked = lineStatuses.filter((status) => status !== 'recorded').map((status) => [status, counted(status)]);
  const rest = currencies.map((currency) => {
    const left = (name: typeof linesName, all: number): number =>
      lineStatuses.reduce((sum, status) => sum - (stored[name(status, currency)] ?? 0), all);
    const { lines, amountCents } = sums[currency]!;
    return { currency, lines: left(linesName, lines), cents: left(centsName, amountCents) };
  });
  return Object.fromEntries([['recorded', joined(rest)], ...marked]) as Record<LineStatus, CountedLines>;
};

const joined = (
  parts: readonly { readonly currency: Currency; readonly lines: number; readonly cents: number }[],
): CountedLines => ({
  lines: parts.reduce((sum, { lines }) => sum + lines, 0),
  totals: Object.fromEntries(parts.filter(({ lines }) => lines > 0).map(({ currency, cents }) => [currency, cents])),
});

/** How much these lines add to the stored counts. */
export function countsOf(lines: readonly Pick<PayoutLine, 'status' | 'currency' | 'amountCents'>[], by = 1) {
  const counts: Record<string, number> = {};
  for (const { status, currency, amountCents } of lines) {
    if (status === 'recorded') continue;
    const names = [linesName(status, currency), centsName(status, currency)] as const;
    counts[names[0]] = (counts[names[0]] ?? 0) + by;
    counts[names[1]] = (counts[names[1]] ?? 0) + by * amountCents;
  }
  return counts;
}

/** Returns what these changed lines add to the stored counts, by count; negative if they subtract. */
export function countChanges(changes: readonly { readonly before: PayoutLine; readonly after: PayoutLine }[]) {
  const added = countsOf(changes.map(({ after }) => after));
  for (const [name, count] of Object.entries(
    countsOf(
      changes.map(({ before }) => before),
      -1,
    ),
  )) {
    added[name] = (added[name] ?? 0) + count;
  }
  return Object.fromEntries(Object.entries(added).filter(([, count]) => count !== 0));
}

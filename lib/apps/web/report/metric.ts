import { countText, moneyText, shortMoneyFormat, unitsOf } from '#lib/apps/web/format.ts';
import { leftOutText } from '#lib/apps/web/report/left-out.ts';
import type { Counts } from '#lib/wire/reports/performance.ts';
import type { AmountName, Performance, Totals } from '#lib/apps/web/report/performance.ts';

export type MetricName = keyof Counts | AmountName;

/** Explanations of metrics whose names are not clear enough. */
export type MetricHints = Partial<Readonly<Record<MetricName, string>>>;

/** A figure that is counted per day. */
export interface Metric {
  readonly name: MetricName;
  readonly title: string;
  /** The figure's value, in cents or as a count. */
  readonly of: (totals: Totals) => number;
  readonly text: (value: number) => string;
  /** The amounts in other currencies: `+ €762.00`; empty if there are none. */
  readonly leftOut?: (totals: Totals) => string;
  /** Converts a value for the chart. */
  readonly toDrawn: (value: number) => number;
  readonly drawnText: (drawn: number) => string;
}

/** Currencies with amounts in the period or the one before. */
export const currenciesOf = ({ totals, previous }: Performance): readonly string[] =>
  [...new Set([...Object.keys(totals.amounts), ...Object.keys(previous.totals.amounts)])].toSorted();

/**
 * The currency whose amounts are shown: the selected one, otherwise the program's own, in which partners are ranked. If
 * that currency has no amounts, the first one that has some.
 * @param performance undefined until loaded
 * @param further currencies with amounts elsewhere on the page
 */
export function currencyShown(
  performance: Performance | undefined,
  chosen: string,
  ofProgram: string,
  further: readonly string[] = [],
): string {
  // The address may contain any text, and an invalid code cannot be formatted as an amount.
  if (!performance) return /^[A-Z]{3}$/.test(chosen) ? chosen : ofProgram;
  const occurred = [...currenciesOf(performance), ...further];
  return [chosen, ofProgram].find((currency) => occurred.includes(currency)) ?? occurred[0] ?? ofProgram;
}

/** Counts, and amounts in one currency; refunds only if there were some. */
export function metricsOf({ totals, previous, days }: Performance, currency: string): [Metric, ...Metric[]] {
  const refunded = amount('refunded_cents', 'Refunded', currency);
  const hasRefunds = [totals, previous.totals, ...days].some((each) => refunded.of(each) !== 0);
  return [
    count('clicks', 'Clicks'),
    count('leads', 'Leads'),
    count('sales', 'Sales'),
    amount('revenue_cents', 'Revenue', currency),
    ...(hasRefunds ? [refunded] : []),
    amount('commission_cents', 'Commission', currency),
  ];
}

/** Clicks by quality; empty if all were good. */
export const clickMetricsOf = ({ totals, previous }: Performance): Metric[] =>
  [count('repeat_clicks', 'Repeat clicks'), count('bot_clicks', 'Bots and previews')].filter(({ of }) =>
    [totals, previous.totals].some((each) => of(each) !== 0),
  );

export const count = (name: keyof Counts, title: string): Metric => ({
  name,
  title,
  of: (totals) => totals[name] ?? 0,
  text: countText,
  toDrawn: (value) => value,
  drawnText: countText,
});

/** @param without another amount, which is subtracted from this one */
export function amount(name: AmountName, title: string, currency: string, without?: AmountName): Metric {
  const centsIn = (amounts: Totals['amounts'][string] = {}): number =>
    (amounts[name] ?? 0) - (without ? (amounts[without] ?? 0) : 0);
  return {
    name,
    title,
    of: ({ amounts }) => centsIn(new Map(Object.entries(amounts)).get(currency)),
    text: (cents) => moneyText(cents, currency),
    leftOut: ({ amounts }) =>
      leftOutText(Object.fromEntries(Object.entries(amounts).map(([each, of]) => [each, centsIn(of)])), currency),
    toDrawn: (cents) => unitsOf(cents, currency),
    drawnText: shortMoneyFormat(currency),
  };
}

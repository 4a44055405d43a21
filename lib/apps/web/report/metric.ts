import { countText, moneyText, shortMoneyFormat, unitsOf } from '#lib/apps/web/format.ts';
import { leftOutText } from '#lib/apps/web/report/left-out.ts';
import type { Counts } from '#lib/wire/reports/performance.ts';
import type { AmountName, Performance, Totals } from '#lib/apps/web/report/performance.ts';

export type MetricName = keyof Counts | AmountName;

/** Explanations of metrics whose names do not explain themselves. */
export type MetricHints = Partial<Readonly<Record<MetricName, string>>>;

/** A metric that has a value for each day. */
export interface Metric {
  readonly name: MetricName;
  readonly title: string;
  /** Returns the value, which is a count or an amount in cents. */
  readonly of: (totals: Totals) => number;
  readonly text: (value: number) => string;
  /** Formats the amounts in other currencies: `+ €762.00`; empty if there are none. */
  readonly leftOut?: (totals: Totals) => string;
  /** Converts a value to the number that the chart draws. */
  readonly toDrawn: (value: number) => number;
  readonly drawnText: (drawn: number) => string;
}

/** The currencies that have amounts in this period or in the previous one. */
export const currenciesOf = ({ totals, previous }: Performance): readonly string[] =>
  [...new Set([...Object.keys(totals.amounts), ...Object.keys(previous.totals.amounts)])].toSorted();

/**
 * The currency whose amounts are shown: the selected one or, if none is selected, the program's own, in which partners
 * are ranked. A currency without amounts is replaced by one that has some.
 * @param performance undefined until it is loaded
 * @param further currencies that have amounts elsewhere on the page
 */
export function currencyShown(
  performance: Performance | undefined,
  chosen: string,
  ofProgram: string,
  further: readonly string[] = [],
): string {
  // The selected currency comes from the page's address, which may contain any text. Only a valid code can be
  // formatted.
  if (!performance) return /^[A-Z]{3}$/.test(chosen) ? chosen : ofProgram;
  const occurred = [...currenciesOf(performance), ...further];
  return [chosen, ofProgram].find((currency) => occurred.includes(currency)) ?? occurred[0] ?? ofProgram;
}

/** The metrics of a report: counts, and amounts in one currency. Refunds are included only if there were some. */
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

/** Metrics of repeated clicks and of clicks by bots, those that are not 0. */
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

/** A metric that is an amount. @param without another amount, which is subtracted */
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

import { countText, moneyText, unitsOf } from '#lib/apps/web/format.ts';
import type { AmountName, Performance, Totals } from '#lib/apps/web/report/performance.ts';

type CountName = 'clicks' | 'repeat_clicks' | 'bot_clicks' | 'leads' | 'sales';
export type MetricName = CountName | AmountName;

/** What metrics are called where that is not their own name. */
export type MetricTitles = Partial<Readonly<Record<MetricName, string>>>;

/** What metrics contain, where their name does not say enough. */
export type MetricHints = Partial<Readonly<Record<MetricName, string>>>;

/** Something that is counted day by day. */
export interface Metric {
  readonly name: MetricName;
  readonly title: string;
  /** Cents, or a count. */
  readonly of: (totals: Totals) => number;
  readonly text: (value: number) => string;
  /** As a chart draws it. */
  readonly toDrawn: (value: number) => number;
  readonly drawnText: (drawn: number) => string;
}

/** Those that occurred in a period or the one before. */
export const currenciesOf = ({ totals, previous }: Performance): readonly string[] =>
  [...new Set([...Object.keys(totals.amounts), ...Object.keys(previous.totals.amounts)])].toSorted();

/**
 * The currency whose amounts are shown: the chosen one, or else the program's own, by which partners are ranked. Where
 * that did not occur it is the first that did.
 * @param performance undefined until it is there
 */
export function currencyShown(performance: Performance | undefined, chosen: string, ofProgram: string): string {
  // Whoever edits the address may enter anything, and what is no code cannot be written as an amount.
  if (!performance) return /^[A-Z]{3}$/.test(chosen) ? chosen : ofProgram;
  const occurred = currenciesOf(performance);
  return [chosen, ofProgram].find((currency) => occurred.includes(currency)) ?? occurred[0] ?? ofProgram;
}

/** Counts, and the amounts in one currency; refunds only where there were some. */
export function metricsOf(
  { totals, previous, days }: Performance,
  currency: string,
  titles: MetricTitles = {},
): [Metric, ...Metric[]] {
  const refunded = amount('refunded_cents', 'Refunded', currency);
  const hasRefunds = [totals, previous.totals, ...days].some((each) => refunded.of(each) !== 0);
  return [
    count('clicks', 'Clicks'),
    count('leads', titles.leads ?? 'Leads'),
    count('sales', 'Sales'),
    amount('revenue_cents', titles.revenue_cents ?? 'Revenue', currency),
    ...(hasRefunds ? [refunded] : []),
    amount('commission_cents', titles.commission_cents ?? 'Commission', currency),
  ];
}

/** Clicks by their quality, where there were others than good ones. */
export const clickMetricsOf = ({ totals, previous }: Performance): Metric[] =>
  [count('repeat_clicks', 'Repeat clicks'), count('bot_clicks', 'Bots and previews')].filter(({ of }) =>
    [totals, previous.totals].some((each) => of(each) !== 0),
  );

const count = (name: CountName, title: string): Metric => ({
  name,
  title,
  of: (totals) => totals[name] ?? 0,
  text: countText,
  toDrawn: (value) => value,
  drawnText: countText,
});

function amount(name: AmountName, title: string, currency: string): Metric {
  const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency, notation: 'compact' });
  return {
    name,
    title,
    of: ({ amounts }) => new Map(Object.entries(amounts)).get(currency)?.[name] ?? 0,
    text: (cents) => moneyText(cents, currency),
    toDrawn: (cents) => unitsOf(cents, currency),
    drawnText: (units) => whole.format(units),
  };
}

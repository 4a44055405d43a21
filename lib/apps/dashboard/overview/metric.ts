import { countText, moneyText, unitsOf } from '#lib/apps/dashboard/format.ts';
import type { Performance, Totals } from '#lib/wire/performance.ts';

type AmountName = 'revenue_cents' | 'refunded_cents' | 'commission_cents';

/** `clicks`, or an amount in one currency, such as `revenue_cents USD`. */
export type MetricName = 'clicks' | 'leads' | 'sales' | `${AmountName} ${string}`;

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

const DEFAULT_CURRENCY = 'USD';

/** Counts, and revenue and commission in each currency that occurred; refunds only where there were some. */
export function metricsOf({ totals, previous, days }: Performance): [Metric, ...Metric[]] {
  const occurred = new Set([...Object.keys(totals.amounts), ...Object.keys(previous.totals.amounts)]);
  const currencies = occurred.size === 0 ? [DEFAULT_CURRENCY] : [...occurred].toSorted();
  const suffix = (currency: string) => (currencies.length > 1 ? ` (${currency})` : '');
  const inEach = (name: AmountName, title: string) =>
    currencies.map((currency) => amount(name, `${title}${suffix(currency)}`, currency));
  return [
    count('clicks', 'Clicks'),
    count('leads', 'Leads'),
    count('sales', 'Sales'),
    ...inEach('revenue_cents', 'Revenue'),
    ...inEach('refunded_cents', 'Refunded').filter(({ of }) =>
      [previous.totals, ...days].some((each) => of(each) !== 0),
    ),
    ...inEach('commission_cents', 'Commission'),
  ];
}

const count = (name: 'clicks' | 'leads' | 'sales', title: string): Metric => ({
  name,
  title,
  of: (totals) => totals[name],
  text: countText,
  toDrawn: (value) => value,
  drawnText: countText,
});

function amount(name: AmountName, title: string, currency: string): Metric {
  const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency, notation: 'compact' });
  return {
    name: `${name} ${currency}`,
    title,
    of: ({ amounts }) => new Map(Object.entries(amounts)).get(currency)?.[name] ?? 0,
    text: (cents) => moneyText(cents, currency),
    toDrawn: (cents) => unitsOf(cents, currency),
    drawnText: (units) => whole.format(units),
  };
}

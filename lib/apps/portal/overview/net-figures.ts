import { moneyText } from '#lib/apps/web/format.ts';
import { amount, count, type Metric } from '#lib/apps/web/report/metric.ts';
import type { Performance } from '#lib/apps/web/report/performance.ts';

/** A partner's figures. Money is net: without what was refunded or not accepted. */
export const netFigures = (_: Performance, currency: string): [Metric, ...Metric[]] => [
  amount('commission_cents', 'Earned', currency, 'rejected_cents'),
  count('clicks', 'Clicks'),
  count('leads', 'Signups'),
  count('sales', 'Sales'),
  amount('revenue_cents', 'Revenue', currency, 'refunded_cents'),
];

/** What refunds and rejections took, for example `$12.00 refunded, $5.80 not accepted`. Undefined if it is nothing. */
export function takenText({ totals }: Performance, currency: string): string | undefined {
  const { refunded_cents: refunded = 0, rejected_cents: rejected = 0 } = totals.amounts[currency] ?? {};
  const parts = [
    refunded !== 0 && `${moneyText(refunded, currency)} refunded`,
    rejected !== 0 && `${moneyText(rejected, currency)} not accepted`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

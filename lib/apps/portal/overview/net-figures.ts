import { moneyText } from '#lib/apps/web/format.ts';
import { amount, count, type Metric } from '#lib/apps/web/report/metric.ts';
import type { Performance } from '#lib/apps/web/report/performance.ts';

/** The metrics of a partner. Amounts are reduced by refunds and rejections. */
export const netFigures = (_: Performance, currency: string): [Metric, ...Metric[]] => [
  amount('commission_cents', 'Earned', currency, 'rejected_cents'),
  count('clicks', 'Clicks'),
  count('leads', 'Signups'),
  count('sales', 'Sales'),
  amount('revenue_cents', 'Revenue', currency, 'refunded_cents'),
];

/**
 * Formats how much refunds and rejections have taken away: `$12.00 refunded, $5.80 not accepted`. Undefined if they
 * have taken nothing.
 */
export function takenText({ totals }: Performance, currency: string): string | undefined {
  const { refunded_cents: refunded = 0, rejected_cents: rejected = 0 } = totals.amounts[currency] ?? {};
  const parts = [
    refunded !== 0 && `${moneyText(refunded, currency)} refunded`,
    rejected !== 0 && `${moneyText(rejected, currency)} not accepted`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

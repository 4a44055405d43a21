import type { MetricHints } from '#lib/apps/web/report/metric.ts';

/** Explains what metrics include, where owners might expect something else. */
export const metricHints: MetricHints = {
  commission_cents:
    'Commissions earned, less what refunds took. Rejected ones stay in it, unless they were rejected while they were held for review: those never entered it.',
};

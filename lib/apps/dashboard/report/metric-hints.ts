import type { MetricHints } from '#lib/apps/web/report/metric.ts';

/** Explains what a program's figures include if that may be unexpected. */
export const metricHints: MetricHints = {
  commission_cents:
    'Commissions earned, less what refunds took. Rejected ones stay in it, unless they were rejected while they were held for review: those never entered it.',
};

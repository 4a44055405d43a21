import { useMemo, useState } from 'preact/hooks';
import { DayTable } from '#lib/apps/web/report/day-table.tsx';
import type { Comparison } from '#lib/apps/web/report/load-performance.ts';
import {
  clickMetricsOf,
  type MetricHints,
  type MetricName,
  metricsOf,
  type MetricTitles,
} from '#lib/apps/web/report/metric.ts';
import { MetricChart } from '#lib/apps/web/report/metric-chart.tsx';
import { ClickMetrics, Metrics } from '#lib/apps/web/report/metrics.tsx';

interface ReportProps {
  readonly comparison: Comparison;
  readonly currency: string;
  /** The service's current UTC day, which is not over. */
  readonly today?: string;
  readonly titles?: MetricTitles;
  readonly hints?: MetricHints;
}

/** The figures of a period. Selecting a figure shows its chart. */
export function Report({ comparison, currency, today, titles, hints }: ReportProps) {
  const [chosen, setChosen] = useState<MetricName>('clicks');
  const metrics = useMemo(() => metricsOf(comparison.now, currency, titles), [comparison, currency, titles]);
  const ofClicks = useMemo(() => clickMetricsOf(comparison.now), [comparison]);
  const all = [...metrics, ...ofClicks];
  const metric = all.find(({ name }) => name === chosen) ?? metrics[0];
  return (
    <section class="card report" aria-label="Performance">
      <Metrics metrics={metrics} comparison={comparison} chosen={metric.name} onChoose={setChosen} hints={hints} />
      <ClickMetrics metrics={ofClicks} comparison={comparison} chosen={metric.name} onChoose={setChosen} />
      {hints?.[metric.name] && <p class="hint metric-hint">{hints[metric.name]}</p>}
      <MetricChart metric={metric} comparison={comparison} today={today} />
      <DayTable metrics={all} performance={comparison.now} />
    </section>
  );
}

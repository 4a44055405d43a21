import { useMemo, useState } from 'preact/hooks';
import { DayTable } from '#lib/apps/web/report/day-table.tsx';
import type { Comparison } from '#lib/apps/web/report/load-performance.ts';
import { type MetricName, metricsOf, type MetricTitles } from '#lib/apps/web/report/metric.ts';
import { MetricChart } from '#lib/apps/web/report/metric-chart.tsx';
import { Metrics } from '#lib/apps/web/report/metrics.tsx';

interface ReportProps {
  readonly comparison: Comparison;
  readonly currency: string;
  readonly titles?: MetricTitles;
}

/** The numbers of a period; they choose what the chart draws. */
export function Report({ comparison, currency, titles }: ReportProps) {
  const [chosen, setChosen] = useState<MetricName>('clicks');
  const metrics = useMemo(() => metricsOf(comparison.now, currency, titles), [comparison, currency, titles]);
  const metric = metrics.find(({ name }) => name === chosen) ?? metrics[0];
  return (
    <section class="card report" aria-label="Performance">
      <Metrics metrics={metrics} comparison={comparison} chosen={metric.name} onChoose={setChosen} />
      <MetricChart metric={metric} comparison={comparison} />
      <DayTable metrics={metrics} performance={comparison.now} />
    </section>
  );
}

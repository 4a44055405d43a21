import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { DayTable } from '#lib/apps/web/report/day-table.tsx';
import type { Comparison } from '#lib/apps/web/report/load-performance.ts';
import {
  clickMetricsOf,
  type Metric,
  type MetricHints,
  type MetricName,
  metricsOf,
} from '#lib/apps/web/report/metric.ts';
import { MetricChart } from '#lib/apps/web/report/metric-chart.tsx';
import type { Performance } from '#lib/apps/web/report/performance.ts';
import { ClickMetrics, Metrics } from '#lib/apps/web/report/metrics.tsx';

interface ReportProps {
  readonly comparison: Comparison;
  readonly currency: string;
  /** The service's present UTC day, which is not over. */
  readonly today?: string;
  /** Returns the metrics to show; the chart first shows the first one. Default: those of a brand. */
  readonly figures?: (performance: Performance, currency: string) => [Metric, ...Metric[]];
  readonly hints?: MetricHints;
  /** A line of text below the metrics. */
  readonly note?: ComponentChildren;
  /** The content that is shown instead of a chart on which both periods are zero. */
  readonly empty?: ComponentChildren;
}

const isEmpty = ({ now, previous }: Comparison, metrics: readonly Metric[]): boolean =>
  [...now.days, ...previous.days].every((day) => metrics.every(({ of }) => of(day) === 0));

/** The figures of a period. Selecting a figure shows its chart. */
export function Report({ comparison, currency, today, figures = metricsOf, hints, note, empty }: ReportProps) {
  const [chosen, setChosen] = useState<MetricName>();
  const metrics = useMemo(() => figures(comparison.now, currency), [comparison, currency, figures]);
  const ofClicks = useMemo(() => clickMetricsOf(comparison.now), [comparison]);
  const all = [...metrics, ...ofClicks];
  const metric = all.find(({ name }) => name === chosen) ?? metrics[0];
  return (
    <section class="card report" aria-label="Performance">
      <Metrics metrics={metrics} comparison={comparison} chosen={metric.name} onChoose={setChosen} hints={hints} />
      <ClickMetrics metrics={ofClicks} comparison={comparison} chosen={metric.name} onChoose={setChosen} />
      {note && <p class="hint metric-hint">{note}</p>}
      {hints?.[metric.name] && <p class="hint metric-hint">{hints[metric.name]}</p>}
      {empty && isEmpty(comparison, all) ? (
        empty
      ) : (
        <>
          <MetricChart metric={metric} comparison={comparison} today={today} />
          <DayTable metrics={all} performance={comparison.now} />
        </>
      )}
    </section>
  );
}

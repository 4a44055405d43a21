import { useMemo } from 'preact/hooks';
import type { Comparison } from '#lib/dashboard/overview/load-performance.ts';
import type { Metric } from '#lib/dashboard/overview/metric.ts';
import { Chart } from '#lib/dashboard/parts/chart.tsx';
import type { Performance } from '#lib/dashboard/wire.ts';

interface OverviewChartProps {
  readonly metric: Metric;
  readonly comparison: Comparison;
}

export function OverviewChart({ metric, comparison }: OverviewChartProps) {
  const { now, previous } = comparison;
  const drawn = useMemo(() => {
    const valuesOf = ({ days }: Performance) => days.map((day) => metric.toDrawn(metric.of(day)));
    return { dates: now.days.map(({ date }) => date), values: valuesOf(now), previous: valuesOf(previous) };
  }, [metric.name, comparison]);
  const label =
    `${metric.title} per day from ${now.from} to ${now.to}: ${metric.text(metric.of(now.totals))} in all, ` +
    `${metric.text(metric.of(now.previous.totals))} in the period before.`;
  return <Chart label={label} format={metric.drawnText} name={metric.name} {...drawn} />;
}

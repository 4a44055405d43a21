import { useMemo, useState } from 'preact/hooks';
import { dateText } from '#lib/apps/dashboard/format.ts';
import type { Comparison } from '#lib/apps/dashboard/overview/load-performance.ts';
import type { Metric } from '#lib/apps/dashboard/overview/metric.ts';
import { Chart } from '#lib/apps/dashboard/parts/chart.tsx';
import type { Performance } from '#lib/wire/performance.ts';

interface OverviewChartProps {
  readonly metric: Metric;
  readonly comparison: Comparison;
}

/** The chart, and below it what it shows: both periods, or the day under the pointer in each. */
export function OverviewChart({ metric, comparison }: OverviewChartProps) {
  const { now, previous } = comparison;
  const [day, setDay] = useState<number>();
  const drawn = useMemo(() => {
    const valuesOf = ({ days }: Performance) => days.map((one) => metric.toDrawn(metric.of(one)));
    return { dates: now.days.map(({ date }) => date), values: valuesOf(now), previous: valuesOf(previous) };
  }, [metric.name, comparison]);
  const label =
    `${metric.title} per day from ${now.from} to ${now.to}: ${metric.text(metric.of(now.totals))} in all, ` +
    `${metric.text(metric.of(now.previous.totals))} in the period before.`;
  return (
    <>
      <Chart label={label} format={metric.drawnText} name={metric.name} onDay={setDay} {...drawn} />
      <p class="chart-legend">
        <LegendEntry kind="now" text={legendText(metric, now, day)} />
        <LegendEntry kind="before" text={legendText(metric, previous, day)} />
      </p>
    </>
  );
}

function legendText(metric: Metric, { from, to, days }: Performance, index: number | undefined): string {
  const day = index === undefined ? undefined : days[index];
  return day ? `${dateText(day.date)}: ${metric.text(metric.of(day))}` : `${dateText(from)} to ${dateText(to)}`;
}

const LegendEntry = ({ kind, text }: { readonly kind: 'now' | 'before'; readonly text: string }) => (
  <span>
    <span class={`legend-line ${kind}`} aria-hidden="true" /> {text}
  </span>
);

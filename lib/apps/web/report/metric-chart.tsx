import { useMemo } from 'preact/hooks';
import { dateText } from '#lib/apps/web/format.ts';
import type { Comparison } from '#lib/apps/web/report/load-performance.ts';
import type { Metric } from '#lib/apps/web/report/metric.ts';
import { Chart } from '#lib/apps/web/parts/figures/chart.tsx';
import type { Performance } from '#lib/apps/web/report/performance.ts';

interface MetricChartProps {
  readonly metric: Metric;
  readonly comparison: Comparison;
  /**
   * The service's present UTC day, whose line is dashed because the day is not over. If undefined, no line is dashed.
   */
  readonly today?: string;
}

/**
 * A chart of the chosen period and the period before it. Its tooltip shows the values of both for the day at the
 * pointer.
 */
export function MetricChart({ metric, comparison, today }: MetricChartProps) {
  const { now, previous } = comparison;
  const drawn = useMemo(() => {
    const valuesOf = ({ days }: Performance) => days.map((one) => metric.toDrawn(metric.of(one)));
    return { dates: now.days.map(({ date }) => date), values: valuesOf(now), previous: valuesOf(previous) };
  }, [metric, comparison]);
  const isOpen = now.days.at(-1)?.date === today;
  const label =
    `${metric.title} per day from ${dateText(now.from)} to ${dateText(now.to)}: ${metric.text(metric.of(now.totals))} in all, ` +
    `${metric.text(metric.of(now.previous.totals))} in the period before.`;
  return (
    <>
      <Chart
        label={label}
        format={metric.drawnText}
        {...drawn}
        isOpen={isOpen}
        tooltip={(index) => (
          <>
            <span class="metric-title">{metric.title}</span>
            <DayEntry kind="now" metric={metric} day={now.days[index]} today={today} />
            <DayEntry kind="before" metric={metric} day={previous.days[index]} />
          </>
        )}
      />
      <p class="chart-legend">
        <LegendEntry kind="now" of={now} />
        <LegendEntry kind="before" of={previous} />
        {isOpen && (
          <span>
            <LegendLine kind="open" /> Today until now
          </span>
        )}
      </p>
    </>
  );
}

type Kind = 'now' | 'before' | 'open';

const LegendEntry = ({ kind, of: { from, to } }: { readonly kind: Kind; readonly of: Performance }) => (
  <span>
    <LegendLine kind={kind} /> {dateText(from)} to {dateText(to)}
  </span>
);

interface DayEntryProps {
  readonly kind: Kind;
  readonly metric: Metric;
  readonly day: Performance['days'][number] | undefined;
  readonly today?: string;
}

const DayEntry = ({ kind, metric, day, today }: DayEntryProps) =>
  day ? (
    <span>
      <LegendLine kind={kind} /> {dateText(day.date)}
      {day.date === today && ' until now'}: <strong class="money">{metric.text(metric.of(day))}</strong>
    </span>
  ) : null;

const LegendLine = ({ kind }: { readonly kind: Kind }) => <span class={`legend-line ${kind}`} aria-hidden="true" />;

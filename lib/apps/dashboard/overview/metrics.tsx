import { changeText } from '#lib/apps/dashboard/format.ts';
import type { Comparison } from '#lib/apps/dashboard/overview/load-performance.ts';
import type { Metric, MetricName } from '#lib/apps/dashboard/overview/metric.ts';

interface MetricsProps {
  readonly metrics: readonly Metric[];
  readonly comparison: Comparison;
  /** What the chart shows. */
  readonly chosen: MetricName;
  readonly onChoose: (name: MetricName) => void;
}

/** Each number with its change; choosing one draws it. */
export const Metrics = ({ metrics, comparison: { now }, chosen, onChoose }: MetricsProps) => (
  <div class="metrics" role="group" aria-label="Choose what the chart shows">
    {metrics.map(({ name, title, of, text }) => {
      const value = of(now.totals);
      const before = of(now.previous.totals);
      return (
        <button key={name} type="button" class="metric" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          <span class="metric-title">{title}</span>
          <span class="metric-value">{text(value)}</span>
          <span class="metric-change">
            {before === 0 ? `${text(before)} before` : `${changeText(value, before)} from ${text(before)}`}
          </span>
        </button>
      );
    })}
  </div>
);

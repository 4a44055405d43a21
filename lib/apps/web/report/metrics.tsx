import { changeText } from '#lib/apps/web/format.ts';
import type { Comparison } from '#lib/apps/web/report/load-performance.ts';
import type { Metric, MetricHints, MetricName } from '#lib/apps/web/report/metric.ts';

interface MetricsProps {
  readonly metrics: readonly Metric[];
  readonly comparison: Comparison;
  /** The metric whose chart is shown. */
  readonly chosen: MetricName;
  readonly onChoose: (name: MetricName) => void;
  readonly hints?: MetricHints;
}

/** Shows each metric with its change against the previous period. Selecting one shows its chart. */
export const Metrics = ({ metrics, comparison: { now }, chosen, onChoose, hints }: MetricsProps) => (
  <div class="metrics" role="group" aria-label="Choose what the chart shows">
    {metrics.map(({ name, title, of, text, leftOut }) => {
      const value = of(now.totals);
      const before = of(now.previous.totals);
      const earlier = <span class="money">{text(before)}</span>;
      return (
        <button
          key={name}
          type="button"
          class="metric"
          title={hints?.[name]}
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          <span class="metric-title">{title}</span>
          <span class="metric-value">{text(value)}</span>
          <span class="metric-change">
            {before === 0 ? (
              <>{earlier} before</>
            ) : (
              <>
                {changeText(value, before)} from {earlier}
              </>
            )}
          </span>
          {leftOut?.(now.totals) && <span class="metric-change left-out">{leftOut(now.totals)}</span>}
        </button>
      );
    })}
  </div>
);

/** Shows the numbers of repeat clicks and of clicks by bots and previews, in smaller type than the main metrics. */
export const ClickMetrics = ({ metrics, comparison: { now }, chosen, onChoose }: MetricsProps) =>
  metrics.length === 0 ? null : (
    <div class="click-metrics" role="group" aria-label="Clicks by their quality">
      {metrics.map(({ name, title, of, text }) => (
        <button key={name} type="button" class="chip" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {title} <strong>{text(of(now.totals))}</strong>
        </button>
      ))}
      <p class="hint">Repeats are among the clicks: the same visitor and link within an hour. Bots are not.</p>
    </div>
  );

import { stepRate } from '#lib/apps/dashboard/overview/step-rate.ts';
import { countText } from '#lib/apps/web/format.ts';
import type { Totals } from '#lib/apps/web/report/performance.ts';

interface FunnelProps {
  readonly totals: Totals;
  /** The period in words, such as `last 30 days`. */
  readonly period: string;
}

/** Shows how many clicks became leads, and how many leads became sales. */
export function Funnel({ totals: { clicks = 0, leads = 0, sales = 0 }, period }: FunnelProps) {
  const most = Math.max(clicks, leads, sales, 1);
  const steps = [
    ['Clicks', clicks, 'all clicks'],
    ['Leads', leads, stepRate(leads, ['click', clicks])],
    ['Sales', sales, stepRate(sales, ['lead', leads])],
  ] as const;
  return (
    <section aria-labelledby="funnel">
      <div class="section-header">
        <h2 id="funnel">
          From click to sale <span class="muted">{period}</span>
        </h2>
      </div>
      <div class="card">
        <dl class="funnel">
          {steps.map(([title, count, rate]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                <span class="funnel-bar" style={{ width: `${(100 * count) / most}%` }} />
                <span class="strong">{countText(count)}</span>
                <div class="muted">{rate}</div>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

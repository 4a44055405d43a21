import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { PeriodFilter } from '#lib/apps/web/parts/table/period-filter.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { periodOf } from '#lib/apps/web/period.ts';
import { CurrencyFilter } from '#lib/apps/web/report/currency-filter.tsx';
import { loadPerformance } from '#lib/apps/web/report/load-performance.ts';
import { currenciesOf, currencyShown } from '#lib/apps/web/report/metric.ts';
import { metricHints } from '#lib/apps/dashboard/report/metric-hints.ts';
import { Report } from '#lib/apps/web/report/report.tsx';
import { ReportSkeleton } from '#lib/apps/web/report/report-skeleton.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';

/** Shows the figures of a partner or link for a period, which the address contains. @param of its path in the API */
export function Figures({ of }: { readonly of: string }) {
  const { api } = useSession();
  const { program } = useProgram();
  const { values, change } = useFilters({ period: '30d', from: '', to: '', currency: '' });
  const { from, to } = periodOf(values, api.today());
  const performance = useLoaded(() => loadPerformance(api, of, { from, to }), [api, of, from, to]);
  const shown = performance.state === 'ready' ? performance.value.now : undefined;
  const currency = currencyShown(shown, values.currency, program.currency);
  return (
    <div>
      <div class="section-header">
        <h2>Performance</h2>
        <div class="page-actions">
          <PeriodFilter chosen={values} onChange={change} />
          <CurrencyFilter
            currencies={shown ? currenciesOf(shown) : []}
            value={currency}
            onChange={(chosen) => change({ currency: chosen })}
          />
        </div>
      </div>
      <WhenLoaded of={performance} what="Figures" pending={<ReportSkeleton />}>
        {(comparison) => <Report comparison={comparison} currency={currency} today={api.today()} hints={metricHints} />}
      </WhenLoaded>
    </div>
  );
}

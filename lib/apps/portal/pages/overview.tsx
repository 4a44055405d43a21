import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PeriodFilter } from '#lib/apps/web/parts/table/period-filter.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { periodOf } from '#lib/apps/web/period.ts';
import { CurrencyFilter } from '#lib/apps/web/report/currency-filter.tsx';
import { loadPerformance } from '#lib/apps/web/report/load-performance.ts';
import { currenciesOf, currencyShown } from '#lib/apps/web/report/metric.ts';
import { Report } from '#lib/apps/web/report/report.tsx';
import { ReportSkeleton } from '#lib/apps/web/report/report-skeleton.tsx';
import { termsText } from '#lib/apps/web/terms-texts.ts';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { MoneyCard } from '#lib/apps/portal/overview/money.tsx';
import { takenText, netFigures } from '#lib/apps/portal/overview/net-figures.ts';
import { NoFigures } from '#lib/apps/portal/overview/no-figures.tsx';
import { OwnLink } from '#lib/apps/portal/overview/own-link.tsx';
import type { PortalBalances } from '#lib/wire/reports/portal-figures.ts';

export function OverviewPage() {
  const { program, api, path } = useProgram();
  const { values, change } = useFilters({ period: '30d', from: '', to: '', currency: '' });
  const { from, to } = periodOf(values, api.today());
  const performance = useLoaded(() => loadPerformance(api, path, { from, to }), [api, path, from, to]);
  const balances = useLoaded(() => api.get<PortalBalances>(`${path}/balance`), [api, path]);
  const shown = performance.state === 'ready' ? performance.value.now : undefined;
  const currency = currencyShown(shown, values.currency, program.currency);
  return (
    <Page
      title={program.name}
      intro={`You ${program.status === 'active' ? 'earn' : 'earned'} ${termsText(program.terms_in_force, program.currency)}.`}
      actions={
        <>
          <PeriodFilter chosen={values} onChange={change} />
          <CurrencyFilter
            currencies={shown ? currenciesOf(shown) : []}
            value={currency}
            onChange={(chosen) => change({ currency: chosen })}
          />
        </>
      }
    >
      <OwnLink />
      <WhenLoaded of={performance} what="Figures" pending={<ReportSkeleton />}>
        {(comparison) => (
          <Report
            comparison={comparison}
            currency={currency}
            today={api.today()}
            figures={netFigures}
            note={takenText(comparison.now, currency)}
            empty={<NoFigures />}
          />
        )}
      </WhenLoaded>
      <MoneyCard balances={balances} />
    </Page>
  );
}

import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadBestPartners } from '#lib/apps/dashboard/overview/best-partners.ts';
import { Funnel } from '#lib/apps/dashboard/overview/funnel.tsx';
import { loadBlocker } from '#lib/apps/dashboard/overview/load-blocker.ts';
import { loadWaiting } from '#lib/apps/dashboard/overview/load-waiting.ts';
import { NextStep } from '#lib/apps/dashboard/overview/next-step.tsx';
import { OwedCard } from '#lib/apps/dashboard/overview/owed-card.tsx';
import { PartnerRanking } from '#lib/apps/dashboard/overview/partner-ranking.tsx';
import { Waiting } from '#lib/apps/dashboard/overview/waiting.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PeriodFilter } from '#lib/apps/web/parts/table/period-filter.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { periodOf, periodText } from '#lib/apps/web/period.ts';
import { CurrencyFilter } from '#lib/apps/web/report/currency-filter.tsx';
import { loadPerformance } from '#lib/apps/web/report/load-performance.ts';
import { currenciesOf, currencyShown } from '#lib/apps/web/report/metric.ts';
import { metricHints } from '#lib/apps/dashboard/report/metric-hints.ts';
import { Report } from '#lib/apps/web/report/report.tsx';
import { ReportSkeleton } from '#lib/apps/web/report/report-skeleton.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Owed } from '#lib/wire/earnings/payout.ts';

export function OverviewPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { values, change } = useFilters({ period: '30d', from: '', to: '', currency: '' });
  const { from, to } = periodOf(values, api.today());
  const performance = useLoaded(() => loadPerformance(api, path, { from, to }), [api, path, from, to]);
  const shown = performance.state === 'ready' ? performance.value.now : undefined;
  const owed = useLoaded(() => api.get<Owed>(`${path}/owed`), [api, path]);
  // All amounts on the page are in one currency. It may be one in which partners are only owed something.
  const owedIn = owed.state === 'ready' ? Object.keys(owed.value) : [];
  const currencies = shown ? [...new Set([...currenciesOf(shown), ...owedIn])].toSorted() : [];
  // The ranking is loaded at once in the currency that is known so far. If the loaded figures show that another
  // currency is used, the ranking is loaded again.
  const currency = currencyShown(shown, values.currency, program.currency, owedIn);
  const blocker = useLoaded(() => loadBlocker(api, path), [api, path]);
  const applications = useLoaded(() => loadWaiting(api, `${path}/partners`, 'applied'), [api, path]);
  const held = useLoaded(() => loadWaiting(api, `${path}/commissions`, 'held'), [api, path]);
  const best = useLoaded(
    () => loadBestPartners(api, path, { period: { from, to }, currency }),
    [api, path, from, to, currency],
  );
  const refresh = () =>
    Promise.all([performance, blocker, applications, held, owed, best].map(({ reload }) => reload()));
  return (
    <Page
      title={program.name}
      intro={program.status === 'paused' ? 'This program is paused: it takes no new partners and links.' : undefined}
      actions={
        <>
          <PeriodFilter chosen={values} onChange={change} />
          <CurrencyFilter
            currencies={currencies}
            value={currency}
            onChange={(chosen) => change({ currency: chosen })}
          />
          <button type="button" class="button" onClick={() => void refresh()}>
            Refresh
          </button>
        </>
      }
    >
      {/* If the state of the setup cannot be loaded, nothing is shown here, and the rest of the page still works. */}
      {blocker.state === 'ready' && <NextStep blocker={blocker.value} />}
      <Waiting applications={applications} held={held} />
      <WhenLoaded of={performance} what="Figures" pending={<ReportSkeleton />}>
        {(comparison) => (
          <>
            <Report comparison={comparison} currency={currency} today={api.today()} hints={metricHints} />
            <Funnel totals={comparison.now.totals} period={periodText(values)} />
          </>
        )}
      </WhenLoaded>
      <OwedCard owed={owed} currency={currency} />
      <PartnerRanking best={best} period={periodText(values)} />
    </Page>
  );
}

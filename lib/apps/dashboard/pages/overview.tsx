import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { loadPerformance, type Comparison, ranges } from '#lib/apps/dashboard/overview/load-performance.ts';
import { Metrics } from '#lib/apps/dashboard/overview/metrics.tsx';
import { DayTable } from '#lib/apps/dashboard/overview/day-table.tsx';
import { OverviewChart } from '#lib/apps/dashboard/overview/overview-chart.tsx';
import { type MetricName, metricsOf } from '#lib/apps/dashboard/overview/metric.ts';
import { NextStep } from '#lib/apps/dashboard/overview/next-step.tsx';
import { loadPartners, PartnerRanking } from '#lib/apps/dashboard/overview/partner-ranking.tsx';
import { ChoiceFilter } from '#lib/apps/dashboard/parts/choice-filter.tsx';
import { Page } from '#lib/apps/dashboard/parts/page.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Readiness } from '#lib/wire/readiness.ts';

/** How the program does, beside how it did before. */
export function OverviewPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [days, setDays] = useState('30');
  const performance = useLoaded(() => loadPerformance(api, path, Number(days)), [api, path, days]);
  const readiness = useLoaded(() => api.get<Readiness>(`${path}/readiness`), [api, path]);
  const partners = useLoaded(() => loadPartners(api, path), [api, path]);
  const refresh = () => Promise.all([performance, readiness, partners].map(({ reload }) => reload()));
  return (
    <Page
      title={program.name}
      intro={program.status === 'paused' ? 'This program is paused: it takes no new partners and links.' : undefined}
      actions={
        <>
          <ChoiceFilter label="Period" value={days} onChange={setDays} options={ranges} />
          <button type="button" class="button" onClick={() => void refresh()}>
            Refresh
          </button>
        </>
      }
    >
      {/* A failure to ask says nothing here: the page goes on with what it knows. */}
      {readiness.state === 'ready' && <NextStep blocker={readiness.value.blocker} />}
      <WhenLoaded of={performance}>{(comparison) => <Report comparison={comparison} />}</WhenLoaded>
      <PartnerRanking partners={partners} />
    </Page>
  );
}

/** The numbers choose what the chart draws. */
function Report({ comparison }: { readonly comparison: Comparison }) {
  const [chosen, setChosen] = useState<MetricName>('clicks');
  const metrics = metricsOf(comparison.now);
  const metric = metrics.find(({ name }) => name === chosen) ?? metrics[0];
  return (
    <section class="card report" aria-label="Performance">
      <Metrics metrics={metrics} comparison={comparison} chosen={metric.name} onChoose={setChosen} />
      <OverviewChart metric={metric} comparison={comparison} />
      <DayTable metrics={metrics} performance={comparison.now} />
    </section>
  );
}

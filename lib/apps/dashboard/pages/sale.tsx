import { useLocation } from 'preact-iso';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { daysText } from '#lib/apps/dashboard/format.ts';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Page } from '#lib/apps/dashboard/parts/page.tsx';
import { Timeline } from '#lib/apps/dashboard/parts/timeline.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { SaleFacts } from '#lib/apps/dashboard/sale/sale-facts.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { ExplainedSale } from '#lib/wire/explained-sale.ts';

/** Why this partner got this sale. */
export function SalePage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { transaction = '' } = useLocation().query;
  const story = useLoaded(
    // In the query: a path cannot carry every transaction id.
    () => api.get<ExplainedSale>(`${path}/sales`, { transaction_id: transaction }),
    [api, path, transaction],
  );
  return (
    <Page title={`Sale ${transaction}`} actions={<a href={programPath('commissions', program.id)}>All commissions</a>}>
      <WhenLoaded of={story}>
        {(loaded) => (
          <>
            <section class="card why" aria-labelledby="why">
              <h2 id="why">
                {loaded.attribution.partner ? `Why ${loaded.attribution.partner.name ?? 'this partner'}` : 'Why nobody'}
              </h2>
              <p class="why-text">{loaded.attribution.text}</p>
              <WindowText window={loaded.window} />
            </section>
            <div class="columns">
              <section class="card" aria-labelledby="timeline">
                <h2 id="timeline">What happened</h2>
                <Timeline steps={loaded.timeline} />
              </section>
              <SaleFacts story={loaded} />
            </div>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function WindowText({ window }: { readonly window: ExplainedSale['window'] }) {
  if (!window) return null;
  if (!window.checked) {
    return <p class="muted">The attribution window was not checked: this customer had bought before.</p>;
  }
  const { age_days: days, window_days: most, compared_with: comparedWith } = window;
  return (
    <p class="muted">
      The first click came {daysText(days ?? 0)} before the {comparedWith}, within the window of {most} days.
    </p>
  );
}

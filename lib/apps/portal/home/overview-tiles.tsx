import { dateText } from '#lib/apps/web/format.ts';
import { OverviewMoneys } from '#lib/apps/portal/home/overview-moneys.tsx';
import { shownFigures } from '#lib/apps/portal/home/shown-figures.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalOverview } from '#lib/wire/reports/portal-overview.ts';

/** Shows the amounts of all programs together. */
export const OverviewTiles = ({ of: { totals, next_payout_on: on } }: { readonly of: PortalOverview }) => (
  <>
    <dl class="card tiles" aria-label="All programs">
      {shownFigures(totals).map(({ name, title }) => (
        <div key={name}>
          <dt>{title}</dt>
          <dd>
            <OverviewMoneys of={totals} name={name} />
          </dd>
        </div>
      ))}
      <div>
        <dt>Next payout</dt>
        <dd>{on === null ? <span class="muted">No date yet</span> : dateText(on)}</dd>
      </div>
    </dl>
    {Object.values(totals).some(({ held_back_cents: held }) => held !== 0) && (
      <p class="hint tiles-hint">
        Payouts leave out what is held back, because your{' '}
        <a href={portalPaths.payoutDetails}>payout details were changed</a>.
      </p>
    )}
  </>
);

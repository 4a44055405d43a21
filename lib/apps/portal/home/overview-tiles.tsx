import { dateText } from '#lib/apps/web/format.ts';
import { OverviewMoneys } from '#lib/apps/portal/home/overview-moneys.tsx';
import { figureTitles } from '#lib/apps/portal/home/own-figures.tsx';
import type { PortalOverview } from '#lib/wire/reports/portal-overview.ts';

/** Shows the amounts of all programs together. */
export const OverviewTiles = ({ of: { totals, next_payout_on: on } }: { readonly of: PortalOverview }) => (
  <dl class="card tiles" aria-label="All programs">
    {figureTitles.map(([name, title]) => (
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
);

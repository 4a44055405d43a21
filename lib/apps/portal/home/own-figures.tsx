import { OverviewMoneys } from '#lib/apps/portal/home/overview-moneys.tsx';
import { shownFigures } from '#lib/apps/portal/home/shown-figures.ts';
import type { ProgramFigures } from '#lib/wire/reports/portal-overview.ts';

/** Shows the amounts of one program on its card. */
export const OwnFigures = ({ of: { amounts } }: { readonly of: ProgramFigures }) => (
  <dl class="program-figures">
    {shownFigures(amounts).map(({ name, title }) => (
      <div key={name}>
        <dt>{title}</dt>
        <dd>
          <OverviewMoneys of={amounts} name={name} />
        </dd>
      </div>
    ))}
  </dl>
);

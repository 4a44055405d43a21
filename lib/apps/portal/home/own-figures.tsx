import { OverviewMoneys } from '#lib/apps/portal/home/overview-moneys.tsx';
import type { ProgramFigures } from '#lib/wire/reports/portal-overview.ts';

export const figureTitles = [
  ['earned_cents', 'This month'],
  ['pending_cents', 'Pending'],
  ['ready_cents', 'Ready'],
] as const;

/** Shows the amounts of one program on its card. */
export const OwnFigures = ({ of: { amounts } }: { readonly of: ProgramFigures }) => (
  <dl class="program-figures">
    {figureTitles.map(([name, title]) => (
      <div key={name}>
        <dt>{title}</dt>
        <dd>
          <OverviewMoneys of={amounts} name={name} />
        </dd>
      </div>
    ))}
  </dl>
);

import { OverviewMoneys } from '#lib/apps/portal/home/overview-moneys.tsx';
import type { OverviewAmounts, ProgramFigures } from '#lib/wire/reports/portal-overview.ts';

const figures = [
  { name: 'earned_cents', title: 'This month' },
  { name: 'pending_cents', title: 'Pending' },
  { name: 'in_review_cents', title: 'In review', isRare: true },
  { name: 'ready_cents', title: 'Ready' },
  { name: 'held_back_cents', title: 'Held back', isRare: true },
] as const;

/** The figures to show. Those that most people never have are left out if they are 0. */
export const figuresOf = (amounts: Readonly<Record<string, OverviewAmounts>>) =>
  figures.filter((figure) => !('isRare' in figure) || Object.values(amounts).some((of) => of[figure.name] !== 0));

/** Shows the amounts of one program on its card. */
export const OwnFigures = ({ of: { amounts } }: { readonly of: ProgramFigures }) => (
  <dl class="program-figures">
    {figuresOf(amounts).map(({ name, title }) => (
      <div key={name}>
        <dt>{title}</dt>
        <dd>
          <OverviewMoneys of={amounts} name={name} />
        </dd>
      </div>
    ))}
  </dl>
);

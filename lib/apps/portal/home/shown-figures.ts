import type { OverviewAmounts } from '#lib/wire/reports/portal-overview.ts';

const figures = [
  { name: 'earned_cents', title: 'This month', isRare: false },
  { name: 'pending_cents', title: 'Pending', isRare: false },
  { name: 'in_review_cents', title: 'In review', isRare: true },
  { name: 'ready_cents', title: 'Ready', isRare: false },
  { name: 'held_back_cents', title: 'Held back', isRare: true },
] as const;

/** The figures that are shown of these amounts. Those that most people never have are left out if they are 0. */
export const shownFigures = (amounts: Readonly<Record<string, OverviewAmounts>>) =>
  figures.filter(({ name, isRare }) => !isRare || Object.values(amounts).some((of) => of[name] !== 0));

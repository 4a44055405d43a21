import type { OverviewAmounts, ProgramFigures } from '#lib/wire/reports/portal-overview.ts';

/** The amounts that have not arrived. Those that are decided are the person's. */
const kinds = [
  { name: 'ready_cents', title: 'Ready', isDecided: true },
  { name: 'held_back_cents', title: 'Held back', isDecided: true },
  { name: 'on_the_way_cents', title: 'On the way', isDecided: true },
  { name: 'in_review_cents', title: 'In review', isDecided: false },
  { name: 'pending_cents', title: 'Pending', isDecided: false },
] as const;

type Figures = Pick<ProgramFigures, 'program_id' | 'amounts'>;

/** A program with the kinds of amounts that have not arrived. */
interface StillOwed<Of extends Figures> {
  readonly of: Of;
  readonly kinds: readonly (typeof kinds)[number][];
}

const isIn = (amounts: Figures['amounts'], name: keyof OverviewAmounts): boolean =>
  Object.values(amounts).some((of) => of[name] !== 0);

/** The programs from which not everything has arrived. @param sandboxes ids of programs whose amounts are not real */
export const stillOwed = <Of extends Figures>(
  programs: readonly Of[],
  sandboxes: ReadonlySet<number>,
): StillOwed<Of>[] =>
  programs
    .filter(({ program_id: id }) => !sandboxes.has(id))
    .map((of) => ({ of, kinds: kinds.filter(({ name }) => isIn(of.amounts, name)) }))
    .filter(({ kinds: some }) => some.length > 0);

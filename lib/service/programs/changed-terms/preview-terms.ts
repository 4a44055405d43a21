import { agreedTerms } from '#lib/service/programs/terms/agreements.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Terms } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { allPartnersOf } from '#lib/service/programs/partners/partners-items.ts';
import { decidedChange } from '#lib/service/programs/program/change-program.ts';
import type { NewProgram } from '#lib/service/programs/program/create-program.ts';

/** What a change of a program's own terms would do. */
export interface PreviewedTerms {
  readonly before: Terms;
  readonly after: Terms;
  /** Active partners who are paid by the program's own terms. */
  readonly partners: number;
  /** All other active partners. */
  readonly partnersUnaffected: number;
  /** All groups, because each has separate terms. */
  readonly groupsUnaffected: number;
}

/**
 * Computes what a change of a program's own terms would do, and writes nothing.
 * @param changeOf computes the change from the current program
 * @throws Refusal in the same cases as the change itself
 */
export async function previewTerms(
  deps: Pick<Deps, 'table' | 'now'>,
  programId: number,
  changeOf: (present: Program) => Partial<NewProgram>,
): Promise<PreviewedTerms> {
  const { before, changed, agreements } = await decidedChange(deps, programId, changeOf);
  const partners = await allPartnersOf(deps.table, programId);
  const sources = partners
    .filter(({ status }) => status === 'active')
    .map(({ id }) => agreedTerms(before, agreements, id).version.from);
  const affected = sources.filter((from) => from === 'program').length;
  return {
    before,
    after: changed,
    partners: affected,
    partnersUnaffected: sources.length - affected,
    groupsUnaffected: agreements.groups.length,
  };
}

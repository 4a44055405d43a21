import { agreedTerms, termsWithVersion } from '#lib/service/programs/terms/agreements.ts';
import { ownTerms, type Program } from '#lib/service/programs/program/program.ts';
import type { TermsInForce } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findTerms } from '#lib/service/programs/terms/terms-items.ts';

/** The terms by which a partner is currently paid. @param partnerId absent for the program's own terms */
export const termsInForce = async (
  { table }: Pick<Deps, 'table'>,
  program: Program,
  partnerId: number | undefined,
): Promise<TermsInForce> =>
  partnerId === undefined
    ? ownTerms(program)
    : agreedTerms(program, await findAgreements(table, program.id), partnerId);

/** Finds terms by their version number, even former ones; undefined if a restore of the table has lost them. */
export async function termsOfVersion(
  { table }: Pick<Deps, 'table'>,
  program: Program,
  version: number,
): Promise<TermsInForce | undefined> {
  const inForce = termsWithVersion(program, await findAgreements(table, program.id), version);
  return inForce ?? findTerms(table, program.id, version);
}

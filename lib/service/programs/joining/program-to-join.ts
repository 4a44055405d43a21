import type { BrandShown } from '#lib/service/programs/brand/brand.ts';
import { brandShown } from '#lib/service/programs/brand/read-brand.ts';
import type { JoinPolicy, Program } from '#lib/service/programs/program/program.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerTerms, type PartnerTerms } from '#lib/service/programs/joining/partner-terms-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';

export interface ProgramToJoin {
  readonly program: Program & { readonly join: Exclude<JoinPolicy, 'closed'> };
  readonly terms?: PartnerTerms;
  readonly brand: BrandShown;
}

/** Loads a program that people may ask to join. @throws Refusal when no program has this id */
export async function programToJoin(deps: Deps, programId: number | undefined): Promise<ProgramToJoin> {
  const program = programId === undefined ? undefined : await findProgram(deps.table, programId);
  const { join = 'closed' } = program ?? {};
  if (!program || join === 'closed') throw programNotFound();
  const [terms, brand] = await Promise.all([findPartnerTerms(deps.table, program), brandShown(deps, program)]);
  return { program: { ...program, join }, terms, brand };
}

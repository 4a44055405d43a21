import type { JoinPolicy, Program } from '#lib/service/programs/program/program.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerTerms, type PartnerTerms } from '#lib/service/programs/joining/partner-terms-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';

export interface ProgramToJoin {
  readonly program: Program & { readonly join: Exclude<JoinPolicy, 'closed'> };
  readonly terms?: PartnerTerms;
}

/** Loads a program that people may ask to join. @throws Refusal when no program has this id */
export async function programToJoin({ table }: Deps, programId: number | undefined): Promise<ProgramToJoin> {
  const program = programId === undefined ? undefined : await findProgram(table, programId);
  const { join = 'closed' } = program ?? {};
  if (!program || join === 'closed') throw programNotFound();
  return { program: { ...program, join }, terms: await findPartnerTerms(table, program) };
}

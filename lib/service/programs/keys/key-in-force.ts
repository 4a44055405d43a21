import type { ProgramKey } from '#lib/service/ground/addresses/credential.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerTerms } from '#lib/service/programs/joining/partner-terms-items.ts';
import { findKey } from '#lib/service/programs/program/programs-items.ts';

/** A program with the stored facts of its current key: its rotation mark and its last use. */
export interface KeyedProgram {
  readonly program: Program;
  readonly key?: ProgramKey;
  /** The text that partners must accept; null = there is no text. */
  readonly partnerTerms: string | null;
}

export async function withKey({ table }: Deps, program: Program): Promise<KeyedProgram> {
  const [key, terms] = await Promise.all([findKey(table, program), findPartnerTerms(table, program)]);
  return { program, key, partnerTerms: terms?.text ?? null };
}

import type { ProgramKey } from '#lib/domain/credential.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findKey } from '#lib/service/store/programs.ts';

/** A program with the stored facts of its current key: its rotation mark and its last use. */
export interface KeyedProgram {
  readonly program: Program;
  readonly key?: ProgramKey;
}

export const withKey = async ({ table }: Deps, program: Program): Promise<KeyedProgram> => ({
  program,
  key: await findKey(table, program),
});

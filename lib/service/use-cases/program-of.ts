import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findProgram } from '#lib/service/store/programs.ts';

/** The program with this id, if there is one. */
export async function programOf(
  { table, logContext }: Deps,
  programId: number | undefined,
): Promise<Program | undefined> {
  logContext.programId = programId;
  return programId === undefined ? undefined : findProgram(table, programId);
}

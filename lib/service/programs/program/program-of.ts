import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';

/** The program with this id, if there is one. */
export async function programOf(
  { table, logContext }: Deps,
  programId: number | undefined,
): Promise<Program | undefined> {
  logContext.programId = programId;
  return programId === undefined ? undefined : findProgram(table, programId);
}

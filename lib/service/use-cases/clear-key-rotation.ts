import { programNotFound } from '#lib/domain/refusals.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { findProgram, unmarkKey } from '#lib/service/store/programs.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** Removes the mark for mandatory rotation; a retired key works again. @throws Refusal when there is no such program */
export const clearKeyRotation = (deps: OperatorDeps, programId: number): Promise<void> =>
  retryOnConflict(deps, async () => {
    const program = await findProgram(deps.table, programId);
    if (!program) throw programNotFound();
    await unmarkKey(deps.table, program);
  });

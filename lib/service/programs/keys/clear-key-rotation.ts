import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { findProgram, unmarkKey } from '#lib/service/programs/program/programs-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Removes the mark that a program key must be replaced. If the deadline is over, the key works again.
 * @throws Refusal when there is no such program
 */
export const clearKeyRotation = (deps: OperatorDeps, programId: number): Promise<void> =>
  retryOnConflict(deps, async () => {
    const program = await findProgram(deps.table, programId);
    if (!program) throw programNotFound();
    await unmarkKey(deps.table, program);
  });

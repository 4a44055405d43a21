import { programNotFound } from '#lib/domain/refusals.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { findProgram, markKey } from '#lib/service/store/programs.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/**
 * Marks a program's key for mandatory rotation. A deadline in the past retires the key at once.
 * @throws Refusal when there is no such program
 */
export const markKeyForRotation = (deps: OperatorDeps, programId: number, deadline: Date) =>
  retryOnConflict(deps, async () => {
    const program = await findProgram(deps.table, programId);
    if (!program) throw programNotFound();
    const mark = { rotationMarkedAt: deps.now.toISOString(), rotationDeadline: deadline.toISOString() };
    await markKey(deps.table, program, mark);
    return mark;
  });

import { maskKey, programKeyOf, sha256 } from '#lib/service/ground/addresses/credential.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findProgram, keyReplacementWrites } from '#lib/service/programs/program/programs-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** A key's full value, which is returned only once. */
export interface GeneratedKey {
  readonly key: string;
  readonly masked: string;
}

/**
 * Replaces a program's key. From this moment, requests with the old key fail. The mark that the old key must be
 * replaced is removed with it.
 * @throws Refusal when there is no such program
 */
export const generateProgramKey = (deps: Deps, programId: number): Promise<GeneratedKey> =>
  retryOnConflict(deps, async () => {
    const program = await findProgram(deps.table, programId);
    if (!program) throw programNotFound();
    const key = programKeyOf(programId, deps.random.programKeySecret());
    const now = deps.now.toISOString();
    const masked = maskKey(key);
    const after = { ...program, keyHash: sha256(key), keyMasked: masked, keyRotatedAt: now, updatedAt: now };
    await deps.table.transact([
      ...keyReplacementWrites(program, after),
      ...auditWrites(deps, program.workspaceId, {
        action: 'program.key_generated',
        target: { type: 'program', id: programId, name: program.name, programId },
      }),
    ]);
    return { key, masked };
  });

import { changesBetween } from '#lib/domain/audit.ts';
import { nextTermsVersion, type Program } from '#lib/domain/program.ts';
import { programNotFound } from '#lib/domain/refusals.ts';
import { areSameTerms } from '#lib/domain/terms.ts';
import type { Deps } from '#lib/service/deps.ts';
import { changedProgramWrites, findProgram } from '#lib/service/store/programs.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import type { NewProgram } from '#lib/service/use-cases/create-program.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/**
 * Changes the settings of a program; commissions that exist keep their terms.
 * @param changeOf reads the wanted change against the program as it is; nothing to change leaves it untouched
 */
export const changeProgram = (
  deps: Deps,
  programId: number,
  changeOf: (present: Program) => Partial<NewProgram>,
): Promise<Program> =>
  retryOnConflict(deps, async () => {
    const before = await findProgram(deps.table, programId);
    if (!before) throw programNotFound();
    const change = changeOf(before);
    if (Object.keys(change).length === 0) return before;
    const changed: Program = { ...before, ...change, updatedAt: deps.now.toISOString() };
    const after = areSameTerms(before, changed) ? changed : withNewTerms(changed);
    await deps.table.transact([
      ...changedProgramWrites(before, after),
      ...auditWrites(deps, before.workspaceId, {
        action: 'program.changed',
        target: { type: 'program', id: programId, name: before.name, programId },
        changes: changesBetween(before, change),
      }),
    ]);
    return after;
  });

function withNewTerms(program: Program): Program {
  const version = nextTermsVersion(program);
  return { ...program, termsVersion: version, lastTermsVersion: version };
}

import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Code } from '#lib/service/programs/links/code.ts';
import { codeNotFound, processorCodeTaken, programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { changedCodeWrites, findCode, findCodeByProcessorId } from '#lib/service/programs/links/codes-items.ts';
import { givenCodeWrite } from '#lib/service/programs/links/given-codes-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkSeen } from '#lib/service/ground/changes/check-seen.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** Loads a code of a program; the case of its letters does not matter. @throws Refusal */
export async function codeOf({ table }: Deps, programId: number, sent: string | undefined): Promise<Code> {
  const code = await findCode(table, programId, sent);
  if (!code) throw codeNotFound();
  return code;
}

/** The fields of a code that an owner can change. An undefined discount removes it. */
export type CodeChange = Partial<Pick<Code, 'status' | 'processorCodeId' | 'discount'>>;

/**
 * Changes a coupon code.
 * @throws Refusal when the program has no such code, the code has changed since the caller read it, or another code
 * already has the processor's id that was sent
 */
export const changeCode = (
  deps: Deps,
  programId: number,
  sent: string,
  change: CodeChange,
  seen?: Comparison<Code>,
): Promise<Code> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const { processorCodeId } = change;
    const [program, before, holder] = await Promise.all([
      findProgram(table, programId),
      codeOf(deps, programId, sent),
      processorCodeId === undefined ? undefined : findCodeByProcessorId(table, programId, processorCodeId),
    ]);
    if (!program) throw programNotFound();
    const target = { type: 'code', id: before.code, programId } as const;
    await checkSeen(deps, target, seen, before);
    if (holder && holder.code !== before.code) throw processorCodeTaken();
    const after = { ...before, ...change };
    await table.transact([
      ...changedCodeWrites(before, after),
      givenCodeWrite(after),
      ...auditWrites(deps, program.workspaceId, {
        action: 'code.changed',
        target,
        changes: changesBetween(before, change),
      }),
    ]);
    return after;
  });

import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Code } from '#lib/service/programs/links/code.ts';
import {
  noRelationWithPartner,
  codeTaken,
  partnerNotFound,
  processorCodeTaken,
  programNotFound,
  programPaused,
} from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCode, findCodeByProcessorId, newCodeWrites } from '#lib/service/programs/links/codes-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

export interface NewCode {
  /** The partner's id; absent when the caller sent a value that cannot be an id. */
  readonly partnerId?: number;
  readonly code: string;
  readonly processorCodeId?: string;
  readonly discount?: string;
}

/**
 * Gives a partner a coupon code.
 * @throws Refusal when the partner is not in the program or removed, the code or the processor's id is taken, or the
 * program is paused
 */
export const createCode = (
  deps: Deps,
  programId: number,
  { partnerId, code: text, processorCodeId, discount }: NewCode,
): Promise<Code> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const [program, partner, taken, holder] = await Promise.all([
      findProgram(table, programId),
      partnerId === undefined ? undefined : findPartner(table, programId, partnerId),
      findCode(table, programId, text),
      processorCodeId === undefined ? undefined : findCodeByProcessorId(table, programId, processorCodeId),
    ]);
    if (!program) throw programNotFound();
    if (!partner) throw partnerNotFound();
    if (partner.status !== 'active') throw noRelationWithPartner();
    if (taken) throw codeTaken();
    if (holder) throw processorCodeTaken();
    if (program.status === 'paused') throw programPaused();
    const code: Code = {
      code: text,
      programId,
      partnerId: partner.id,
      status: 'active',
      processorCodeId,
      discount,
      createdAt: now.toISOString(),
    };
    await table.transact([
      ...newCodeWrites(code, partner),
      ...auditWrites(deps, program.workspaceId, {
        action: 'code.created',
        target: { type: 'code', id: text, programId },
        changes: changesBetween({}, { partnerId: partner.id, processorCodeId, discount }),
      }),
    ]);
    return code;
  });

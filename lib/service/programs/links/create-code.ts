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
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { codeWrites, findCode, findCodeByProcessorId } from '#lib/service/programs/links/codes-items.ts';
import { givenCodeWrite } from '#lib/service/programs/links/given-codes-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { activePartnerCheck } from '#lib/service/programs/partners/partner-status-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
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
    const { table } = deps;
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
    const code = newCode(deps, program, { code: text, partnerId: partner.id, processorCodeId, discount });
    // The transaction fails if the partner is removed at the same moment. The code is then refused.
    await table.transact([...newCodeWrites(deps, program, code), activePartnerCheck(partner)]);
    return code;
  });

type Given = Pick<Code, 'code' | 'partnerId' | 'processorCodeId' | 'discount'>;

const newCode = ({ now }: Pick<Deps, 'now'>, { id: programId }: Program, given: Given): Code => ({
  ...given,
  programId,
  status: 'active',
  createdAt: now.toISOString(),
});

/** Writes of a new code of an active partner, and of its audit row. */
export const newCodeWrites = (
  deps: Pick<Deps, 'actor' | 'now' | 'random'>,
  program: Program,
  given: Given,
): Write[] => {
  const { code: id, partnerId, processorCodeId, discount } = given;
  const code = newCode(deps, program, given);
  return [
    ...codeWrites(code),
    givenCodeWrite(code),
    ...auditWrites(deps, program.workspaceId, {
      action: 'code.created',
      target: { type: 'code', id, programId: program.id },
      changes: changesBetween({}, { partnerId, processorCodeId, discount }),
    }),
  ];
};

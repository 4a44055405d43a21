import { checkStep, type Partner } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/service/deps.ts';
import { changedStatusWrite, joinedPartnerWrites, partnerStatusWrites } from '#lib/service/store/partners.ts';
import { checkRoom } from '#lib/service/use-cases/add-partner.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { relationOf } from '#lib/service/use-cases/set-partner-status.ts';

/** Makes a person who asked a partner. @throws Refusal for one who did not */
export const acceptApplication = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await relationOf(deps, programId, partnerId);
    checkStep('accept', partner, deps.now);
    return becomeActive(deps, program, partner);
  });

/** @throws Refusal for a person who did not ask */
export const rejectApplication = (deps: Deps, programId: number, partnerId: number, reason: string): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { partner: before } = await relationOf(deps, programId, partnerId);
    checkStep('reject', before, deps.now);
    const rejectedAt = deps.now.toISOString();
    const after: Partner = { ...before, status: 'rejected', rejectionReason: reason, rejectedAt };
    await deps.table.transact([changedStatusWrite(before, after)]);
    return after;
  });

/** Invites a person again. @throws Refusal for a partner, and for one whose application is to be decided */
export const invitePartner = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { partner: before } = await relationOf(deps, programId, partnerId);
    checkStep('invite', before, deps.now);
    const after: Partner = {
      ...before,
      status: 'invited',
      invitedAt: deps.now.toISOString(),
      rejectionReason: undefined,
      rejectedAt: undefined,
    };
    await deps.table.transact([changedStatusWrite(before, after)]);
    return after;
  });

/** A person becomes a partner, or is one again. @throws Refusal when the program is paused or full */
export async function becomeActive(
  { table, now }: Deps,
  program: Program,
  before: Partner,
  agreed: Pick<Partner, 'acceptedTerms' | 'application'> = {},
): Promise<Partner> {
  const after: Partner = {
    ...before,
    ...agreed,
    status: 'active',
    joinedAt: before.joinedAt ?? now.toISOString(),
    rejectionReason: undefined,
    rejectedAt: undefined,
    leftAt: undefined,
  };
  checkRoom(program, 'active');
  const wasPartner = program.removedPartnerIds.includes(before.id);
  await table.transactLong((wasPartner ? partnerStatusWrites : joinedPartnerWrites)(program, before, after), []);
  return after;
}

import { checkStep, joinedAtOf, type Partner, partnerStatusAt } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import { partnerHasLeft } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { changedStatusWrite, joinedPartnerWrites, partnerStatusWrites } from '#lib/service/store/partner-status.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { checkRoom } from '#lib/service/use-cases/add-partner.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { decisionMail, invitationMail } from '#lib/service/use-cases/partner-mails.ts';
import { accountWritesOfJoining } from '#lib/service/use-cases/same-account.ts';
import { ownRelationOf, relationOf, stepAudit } from '#lib/service/use-cases/set-partner-status.ts';

/** Makes a person who asked a partner. @throws Refusal for one who did not */
export const acceptApplication = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await relationOf(deps, programId, partnerId);
    checkStep('accept', partner, deps.now);
    return becomeActive(deps, program, partner, {}, decisionMail(deps, program, partner, { decision: 'accepted' }));
  });

/** @throws Refusal for a person who did not ask */
export const rejectApplication = (deps: Deps, programId: number, partnerId: number, reason: string): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner: before } = await relationOf(deps, programId, partnerId);
    checkStep('reject', before, deps.now);
    const rejectedAt = deps.now.toISOString();
    const after: Partner = { ...before, status: 'rejected', rejectionReason: reason, rejectedAt };
    await deps.table.transact([
      changedStatusWrite(before, after),
      ...decisionMail(deps, program, after, { decision: 'rejected', reason }),
      ...stepAudit(deps, program, before, after),
    ]);
    return after;
  });

/** Invites a person again. @throws Refusal for a partner, and for one whose application is to be decided */
export const invitePartner = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner: before } = await relationOf(deps, programId, partnerId);
    checkStep('invite', before, deps.now);
    const after: Partner = {
      ...before,
      status: 'invited',
      invitedAt: deps.now.toISOString(),
      joinedAt: joinedAtOf(before),
      rejectionReason: undefined,
      rejectedAt: undefined,
    };
    await deps.table.transact([
      changedStatusWrite(before, after),
      ...invitationMail(deps, program, after),
      ...stepAudit(deps, program, before, after),
    ]);
    return after;
  });

/** Ends an invitation before its time. @throws Refusal when none is open */
export const withdrawInvitation = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await relationOf(deps, programId, partnerId);
    return endInvitation(deps, program, partner);
  });

/** The invited person says no. Repeating it, or declining what has ended, changes nothing. @throws Refusal for who is not invited */
export const declineInvitation = (deps: Deps, own: Partner): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await ownRelationOf(deps, own);
    const status = partnerStatusAt(partner, deps.now);
    if (status === 'removed') throw partnerHasLeft();
    return status === 'expired' ? partner : endInvitation(deps, program, partner);
  });

async function endInvitation(deps: Deps, program: Program, before: Partner): Promise<Partner> {
  checkStep('withdraw', before, deps.now);
  const after: Partner = { ...before, status: 'expired' };
  await deps.table.transact([changedStatusWrite(before, after), ...stepAudit(deps, program, before, after)]);
  return after;
}

/**
 * A person becomes a partner, or is one again.
 * @param told mails of it
 * @throws Refusal when the program is paused or full
 */
export async function becomeActive(
  deps: Deps,
  program: Program,
  before: Partner,
  agreed: Pick<Partner, 'acceptedTerms' | 'application'> = {},
  told: readonly Write[] = [],
): Promise<Partner> {
  const { table, now } = deps;
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
  const changed = (wasPartner ? partnerStatusWrites : joinedPartnerWrites)(program, before, after);
  const sameAccount = await accountWritesOfJoining(deps, program.workspaceId, after);
  await table.transactLong([...told, ...stepAudit(deps, program, before, after), ...sameAccount, ...changed], []);
  return after;
}

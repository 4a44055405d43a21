import {
  type Application,
  checkStep,
  hasAddress,
  type Partner,
  partnerStatusAt,
} from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { partnerHasLeft, partnerRemoved } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  acceptedWrites,
  changedStatusWrite,
  joinedPartnerWrites,
  partnerStatusWrites,
} from '#lib/service/programs/partners/partner-status-items.ts';
import { acceptedInvitationWrite } from '#lib/service/people/invitations/sent-invitations-items.ts';
import { mergedWrites } from '#lib/service/ground/table/merged-writes.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { wishedCodeWrites } from '#lib/service/programs/links/wished-code.ts';
import { withFirstLink } from '#lib/service/programs/links/first-link.ts';
import { checkRoom } from '#lib/service/programs/partners/add-partner.ts';
import { countInvitation } from '#lib/service/people/invitations/count-invitation.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { decisionMail, invitationMail, invitedAddressee } from '#lib/service/programs/partners/partner-mails.ts';
import { accountWritesOfAccepting } from '#lib/service/programs/payout-details/same-account.ts';
import {
  changeStatus,
  ownRelationOf,
  relationOf,
  stepAudit,
} from '#lib/service/programs/partners/set-partner-status.ts';

/** Makes an applicant a partner. @throws Refusal when the person has not applied */
export const acceptApplication = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await relationOf(deps, programId, partnerId);
    checkStep('accept', partner, deps.now);
    const told = await decisionMail(deps, program, partner, { decision: 'accepted' });
    return becomeActive(deps, program, partner, {}, told);
  });

/** Rejects an application. @throws Refusal when the person has not applied */
export const rejectApplication = (deps: Deps, programId: number, partnerId: number, reason: string): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner: before } = await relationOf(deps, programId, partnerId);
    checkStep('reject', before, deps.now);
    const rejectedAt = deps.now.toISOString();
    const after: Partner = { ...before, status: 'rejected', rejectionReason: reason, rejectedAt };
    await deps.table.transact([
      changedStatusWrite(before, after),
      ...(await decisionMail(deps, program, after, { decision: 'rejected', reason })),
      ...stepAudit(deps, program, before, after),
    ]);
    return after;
  });

/**
 * Invites a person again.
 * @throws Refusal for a partner, for a person whose application is undecided, and when no further invitation may be
 * sent
 */
export const invitePartner = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner: before } = await relationOf(deps, programId, partnerId);
    checkStep('invite', before, deps.now);
    if (!hasAddress(before)) throw partnerRemoved();
    const to = await invitedAddressee(deps, before);
    const counted = await countInvitation(deps, program, to.email);
    const after: Partner = {
      ...before,
      status: 'invited',
      invitedAt: deps.now.toISOString(),
      rejectionReason: undefined,
      rejectedAt: undefined,
    };
    await deps.table.transact([
      changedStatusWrite(before, after),
      ...counted,
      ...invitationMail(deps, program, after, to),
      ...stepAudit(deps, program, before, after),
    ]);
    return after;
  });

/** Withdraws an invitation that the person has not accepted yet. @throws Refusal when there is no such invitation */
export const withdrawInvitation = (deps: Deps, programId: number, partnerId: number): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await relationOf(deps, programId, partnerId);
    return endInvitation(deps, program, partner);
  });

/**
 * Declines an invitation, or the partnership of a person whom the brand has added; the links of this partner then stop
 * working. A repeated call, or declining a partnership that has ended, changes nothing.
 * @throws Refusal for a person who is not invited
 */
export const declineInvitation = (deps: Deps, own: Partner): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner } = await ownRelationOf(deps, own);
    const status = partnerStatusAt(partner, deps.now);
    const isAddition = partner.joinedAt === undefined && (status === 'active' || status === 'removed');
    if (isAddition && partner.leftAt !== undefined) return partner;
    if (isAddition) {
      return changeStatus(deps, program, partner, { ...partner, status: 'removed', leftAt: deps.now.toISOString() });
    }
    if (status === 'removed') throw partnerHasLeft();
    return status === 'expired' ? partner : endInvitation(deps, program, partner);
  });

async function endInvitation(deps: Deps, program: Program, before: Partner): Promise<Partner> {
  checkStep('withdraw', before, deps.now);
  const after: Partner = { ...before, status: 'expired' };
  await deps.table.transact([changedStatusWrite(before, after), ...stepAudit(deps, program, before, after)]);
  return after;
}

/** Removes the mark that the application waits in the queue, when the person becomes a partner. */
const withoutQueue = (application: Application | undefined): Application | undefined =>
  application && { ...application, isQueued: undefined };

/**
 * Makes a person a partner, or a partner again, with a link to share. A person whom the brand added already counts as a
 * partner and earns.
 * @param more further writes of the transaction
 * @throws Refusal when the program is paused or full
 */
export async function becomeActive(
  deps: Deps,
  program: Program,
  before: Partner,
  agreed: Pick<Partner, 'acceptedTerms' | 'application' | 'wishedLink' | 'wishedCode'> = {},
  more: readonly Write[] = [],
): Promise<Partner> {
  const { table, now } = deps;
  const { partner: after, writes: ofLink } = await withFirstLink(deps, program, {
    ...before,
    ...agreed,
    status: 'active',
    joinedAt: before.joinedAt ?? now.toISOString(),
    rejectionReason: undefined,
    rejectedAt: undefined,
    application: withoutQueue(agreed.application ?? before.application),
    leftAt: undefined,
    restoredAt: undefined,
  });
  const joining = [
    ...(await accountWritesOfAccepting(deps, program.workspaceId, after)),
    ...(await wishedCodeWrites(deps, program, after)),
  ];
  if (before.status === 'active') {
    await table.transact([
      ...more,
      ...joining,
      ...ofLink,
      ...stepAudit(deps, program, before, after),
      ...acceptedWrites(program, before, after),
    ]);
    return after;
  }
  checkRoom(program, 'active');
  const wasPartner = program.removedPartnerIds.includes(before.id);
  const changed = (wasPartner ? partnerStatusWrites : joinedPartnerWrites)(program, before, after);
  const accepted = before.status === 'invited' ? [acceptedInvitationWrite(program.workspaceId)] : [];
  await table.transactLong(
    mergedWrites([...more, ...accepted, ...stepAudit(deps, program, before, after), ...joining, ...ofLink, ...changed]),
    [],
  );
  return after;
}

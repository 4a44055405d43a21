import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import {
  checkStep,
  hasAddress,
  hasConsented,
  isNotYetPartner,
  type membershipStatuses,
  type Partner,
  restored,
} from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  notYetPartner,
  partnerHasLeft,
  partnerNotFound,
  programNotFound,
  removedByBrand,
} from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { partnerStatusWrites } from '#lib/service/programs/partners/partner-status-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { mailStateShown } from '#lib/service/programs/partners/mail-barrier.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { removedMailboxWrites } from '#lib/service/programs/payout-details/same-account.ts';
import { endOfShareWrites } from '#lib/service/programs/payout-details/shared-details.ts';

/** Loads a partner of a program. @param partnerId undefined when the sent value cannot be an id @throws Refusal */
export async function partnerOf({ table }: Deps, programId: number, partnerId: number | undefined): Promise<Partner> {
  const partner = partnerId === undefined ? undefined : await findPartner(table, programId, partnerId);
  if (!partner) throw partnerNotFound();
  return partner;
}

/** Loads a partner and its program. @throws Refusal */
export async function relationOf(
  deps: Deps,
  programId: number,
  partnerId: number,
): Promise<{ readonly program: Program; readonly partner: Partner }> {
  const [program, partner] = await Promise.all([
    findProgram(deps.table, programId),
    partnerOf(deps, programId, partnerId),
  ]);
  if (!program) throw programNotFound();
  return { program, partner };
}

/**
 * Loads a partner and its program, for a request by the partner's own account.
 * @throws Refusal when the partner no longer belongs to the account
 */
export async function ownRelationOf(
  deps: Deps,
  { programId, id, accountId }: Pick<Partner, 'programId' | 'id' | 'accountId'>,
): ReturnType<typeof relationOf> {
  const relation = await relationOf(deps, programId, id);
  if (relation.partner.accountId !== accountId) throw programNotFound();
  return relation;
}

/** The audit row of a status change. */
export const stepAudit = (
  deps: Pick<Deps, 'actor' | 'now' | 'random'>,
  { id: programId, workspaceId }: Program,
  before: Partner,
  after: Partner,
): Write[] =>
  auditWrites(deps, workspaceId, {
    action: 'partner.changed',
    target: { type: 'partner', id: after.id, name: after.name, programId },
    changes: changesBetween(before, {
      status: after.status,
      invitedAt: after.invitedAt,
      // In two cases the status stays the same and only the time of acceptance is set: a person accepts after being
      // added, or accepts again after being restored.
      ...((before.status === after.status || after.joinedAt === undefined) && { joinedAt: after.joinedAt }),
      rejectionReason: after.rejectionReason,
      acceptedTerms: after.acceptedTerms,
    }),
  });

export const stepTo = { active: 'restore', removed: 'remove' } as const;

/** A partner after a change, and the writes for it. */
interface ChangedPartner {
  readonly partner: Partner;
  readonly writes: readonly Write[];
}

/**
 * Removes a partner from a program, or restores it. While a partner is removed, its links answer 410 and its customers'
 * sales are refused; links and sales of a restored partner work at once, but personal data is shared only after the
 * person accepts again. If the request is interrupted, repeating it completes the change.
 * @param before the partner as it is, or as other writes of the transaction will make it
 * @param stored the partner as it is stored
 * @throws Refusal for a person who has never been a partner, or who left: they come back only by accepting an
 * invitation
 */
export async function partnerStep(
  deps: Deps,
  program: Program,
  before: Partner,
  status: (typeof membershipStatuses)[number],
  stored: Partner = before,
): Promise<ChangedPartner> {
  checkStep(stepTo[status], before, deps.now);
  if (status === 'active') {
    const after = await restoredPartner(deps, before);
    return { partner: after, writes: stepWrites(deps, program, before, after) };
  }
  const after = { ...before, status };
  const more = [
    // The stored address is used to find the partner's other programs.
    ...(before.accountId === undefined ? [] : await endOfShareWrites(deps, program, stored)),
    ...(await removedMailboxWrites(deps, program.workspaceId, before)),
  ];
  return { partner: after, writes: stepWrites(deps, program, before, after, more) };
}

/**
 * A partner after restoration. Until the person accepts again, the brand sees nothing of the account, not even whether
 * the person wants mails.
 */
async function restoredPartner(deps: Deps, before: Partner): Promise<Partner> {
  const after = restored(before, deps.now);
  return hasAddress(after) && !hasConsented(after)
    ? { ...after, mail: await mailStateShown(deps, after, after) }
    : after;
}

/** Ends the partnership, because the person leaves. @throws Refusal when the person is not a partner */
export const leaveProgram = (deps: Deps, own: Partner): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { program, partner: before } = await ownRelationOf(deps, own);
    if (isNotYetPartner(before, deps.now)) throw notYetPartner();
    if (before.status === 'removed') throw before.leftAt === undefined ? removedByBrand() : partnerHasLeft();
    checkStep('leave', before, deps.now);
    return changeStatus(deps, program, before, { ...before, status: 'removed', leftAt: deps.now.toISOString() });
  });

/**
 * Writes a change of status. Changes of links that do not fit into its transaction are written before it, so if the
 * request is interrupted, repeating it completes the change.
 * @param more further writes for the same transaction
 */
export async function changeStatus(
  deps: Deps,
  program: Program,
  before: Partner,
  after: Partner,
  more: readonly Write[] = [],
): Promise<Partner> {
  const ofShare = after.status === 'removed' ? await endOfShareWrites(deps, program, before) : [];
  await deps.table.transactLong(stepWrites(deps, program, before, after, [...ofShare, ...more]), []);
  return after;
}

const stepWrites = (
  deps: Deps,
  program: Program,
  before: Partner,
  after: Partner,
  more: readonly Write[] = [],
): Write[] => [...stepAudit(deps, program, before, after), ...more, ...partnerStatusWrites(program, before, after)];

import type { Account } from '#lib/service/ground/addresses/account.ts';
import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { type Partner, isConsentingPartner } from '#lib/service/programs/partners/partner.ts';
import type { SealedPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import type { PartnerPointer } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { sharingPartnerCheck } from '#lib/service/programs/partners/partner-status-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { accountWrites } from '#lib/service/programs/payout-details/same-account.ts';

/** A change of payout details. `details` is absent if they were deleted, or if there were none. */
interface ChangedDetails {
  readonly before?: Partial<SealedPayoutDetails>;
  readonly after?: SealedPayoutDetails;
  /** Id of the change. */
  readonly fact: string;
}

/** The mail that notifies a person of a change of their payout details. */
export const changedDetailsMail = (
  { now }: Pick<Deps, 'now'>,
  { id: accountId, email, name }: Account,
  { before, after, fact }: ChangedDetails,
): Write[] =>
  mailWrites({
    kind: 'payout_details_changed',
    fact,
    to: { email, name, accountId },
    data: { masked: after?.masked, ...(!before && { areFirst: true }), heldUntil: after?.heldUntil },
    now,
  });

/**
 * The partner under which an account's details are shared with each workspace, by workspace id. A partner has one id in
 * all programs of a workspace.
 */
export type SharedWith = ReadonlyMap<number, Partner>;

export async function sharedWith(
  deps: Deps,
  accountId: number,
  pointers: readonly PartnerPointer[],
): Promise<SharedWith> {
  const found = await Promise.all(
    pointers.map(async ({ programId, partnerId }): Promise<(readonly [number, Partner])[]> => {
      const [program, partner] = await Promise.all([
        findProgram(deps.table, programId),
        findPartner(deps.table, programId, partnerId),
      ]);
      const isSharing = partner?.accountId === accountId && isConsentingPartner(partner);
      return program && isSharing ? [[program.workspaceId, partner]] : [];
    }),
  );
  return new Map(found.flat());
}

/**
 * Writes that record the change in each of these workspaces: an audit row, and the entry that finds partners by payout
 * account. They fail if the person has stopped sharing in the meantime; this request then reloads and decides again.
 */
export async function changedDetailsRows(
  deps: Deps,
  workspaces: SharedWith,
  { before, after, fact }: ChangedDetails,
): Promise<Write[]> {
  const writes = [...workspaces].map(async ([workspaceId, partner]): Promise<Write[]> => [
    sharingPartnerCheck(partner),
    ...(await accountWrites(deps, workspaceId, partner.id, { before, after })),
    ...auditWrites(deps, workspaceId, {
      id: fact,
      action: 'payout_details.changed',
      target: { type: 'partner', id: partner.id },
      changes: {
        masked: { from: before?.masked ?? null, to: after?.masked ?? null },
        ...changesBetween({ method: before?.method }, { method: after?.method }),
      },
    }),
  ]);
  return (await Promise.all(writes)).flat();
}

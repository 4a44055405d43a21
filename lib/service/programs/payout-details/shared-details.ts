import { hasAddress, type Partner, isConsentingPartner } from '#lib/service/programs/partners/partner.ts';
import { type PartnerShare, shownShare } from '#lib/service/programs/partners/partner-share.ts';
import {
  isHeld,
  type SealedPayoutDetails,
  sealedDetails,
} from '#lib/service/programs/payout-details/payout-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { sharingPartnerCheck } from '#lib/service/programs/partners/partner-status-items.ts';
import {
  findPayoutDetails,
  findStoredDetails,
  payoutDetailsCheck,
} from '#lib/service/programs/payout-details/payout-details-items.ts';
import { endOfShareWrite, firstEndOfShare } from '#lib/service/programs/payout-details/shared-details-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// A person's payout details are shared with a workspace while the person has accepted, and is active in, at least one
// of its programs. This file decides everything that a brand sees of an account. If details are not shared, a person
// with an account looks to the brand like an address that no one uses.

type Reads = Pick<Deps, 'table'>;
type OfWorkspace = Pick<Program, 'workspaceId'>;

/**
 * Reads the data that decide how much of a partner's account a workspace may see.
 * @param mayChange whether the partner may join or leave this program before the result is used; then the person's
 * partners in other programs are always read
 */
export async function shareOf(
  { table }: Reads,
  program: OfWorkspace,
  partner: Partner,
  mayChange = false,
): Promise<PartnerShare> {
  const { accountId, joinedAt } = partner;
  if (accountId === undefined || (joinedAt === undefined && !mayChange)) return { isSharedElsewhere: false };
  const [details, other] = await Promise.all([
    findPayoutDetails(table, accountId),
    isConsentingPartner(partner) && !mayChange ? undefined : sharingRelation(table, program, partner),
  ]);
  return { details, isSharedElsewhere: other !== undefined };
}

/** Whether a workspace may currently see the details of a partner. */
export const isShared = async (deps: Reads, program: OfWorkspace, partner: Partner): Promise<boolean> =>
  shownShare(partner, await shareOf(deps, program, partner)).isShared;

/** The details of a partner that a workspace may currently see. */
export const sharedDetails = async (
  deps: Reads,
  program: OfWorkspace,
  partner: Partner,
): Promise<SealedPayoutDetails | undefined> => shownShare(partner, await shareOf(deps, program, partner)).details;

/**
 * The details to which a payout created at this time is paid. If the person has since stopped sharing details with the
 * workspace, these are the ones stored when the sharing ended.
 */
export async function detailsOfPayout(
  deps: Reads,
  { workspaceId }: OfWorkspace,
  partner: Partner,
  createdAt: string,
): Promise<SealedPayoutDetails | undefined> {
  const { accountId, id: partnerId, joinedAt, restoredAt = '' } = partner;
  if (accountId === undefined) return undefined;
  // When this payout was made, the person shared no details: they had not accepted yet, or the brand had removed and
  // restored the partner and they had not accepted again.
  if (joinedAt === undefined && createdAt > restoredAt) return undefined;
  const end = await firstEndOfShare(deps.table, { accountId, workspaceId, partnerId }, createdAt);
  return end ? (end.details ?? undefined) : sharedDetails(deps, { workspaceId }, partner);
}

/**
 * Writes for a partnership that ends. If the person still shares the details through another program of the workspace,
 * the result is only a check that this other partnership is unchanged. Otherwise sharing ends, and a copy of the
 * current details is stored.
 */
export async function endOfShareWrites(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { workspaceId }: OfWorkspace,
  before: Partner,
): Promise<Write[]> {
  const { accountId, id: partnerId } = before;
  if (accountId === undefined || !isConsentingPartner(before)) return [];
  const other = await sharingRelation(table, { workspaceId }, before);
  if (other) return [sharingPartnerCheck(other)];
  const details = await findStoredDetails(table, accountId);
  return [
    payoutDetailsCheck(accountId, details),
    endOfShareWrite({
      accountId,
      workspaceId,
      partnerId,
      endedAt: now.toISOString(),
      // During a hold, a thief may have made the latest change of the details. The person could not correct a copy
      // later, so none is stored then.
      details: details?.sealed === undefined || isHeld(details, now) ? null : sealedDetails(details),
    }),
  ];
}

/** Finds the same person's partner in another program of the workspace through which the details are still shared. */
async function sharingRelation(
  table: Table,
  { workspaceId }: OfWorkspace,
  partner: Partner,
): Promise<Partner | undefined> {
  if (partner.accountId === undefined || !hasAddress(partner)) return undefined;
  const known = await findPartnerByEmail(table, workspaceId, partner.email);
  const others = [...(known?.programIds ?? [])].filter((programId) => programId !== partner.programId);
  const relations = await Promise.all(others.map((programId) => findPartner(table, programId, partner.id)));
  return relations.find(
    (relation) => relation !== undefined && relation.accountId === partner.accountId && isConsentingPartner(relation),
  );
}

import {
  addressHoldUntil,
  type DeletedPayoutDetails,
  heldUntilOf,
  type HoldTimes,
  type SealedPayoutDetails,
} from '#lib/service/programs/payout-details/payout-details.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Condition } from '#lib/service/ground/table/expressions.ts';
import type { PartnerPointer } from '#lib/service/people/accounts/partner-accounts-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

export async function findPayoutDetails(table: Table, accountId: number): Promise<SealedPayoutDetails | undefined> {
  const stored = await findStoredDetails(table, accountId);
  return stored?.sealed === undefined ? undefined : stored;
}

/** The payout details of an account, or what remains after they were deleted. */
export const findStoredDetails = (table: Table, accountId: number): Promise<StoredPayoutDetails | undefined> =>
  table.get<StoredPayoutDetails>(keys.payoutDetails(accountId));

export type StoredPayoutDetails = SealedPayoutDetails | DeletedPayoutDetails;

/** The condition that the details and their hold are unchanged. */
const unchanged = (details: StoredPayoutDetails | undefined): Condition => ({
  equals: { sealed: details?.sealed, heldUntil: details?.heldUntil },
});

/**
 * The write of an account's payout details. Fails if another change was written first. This request then reloads and
 * decides again.
 */
export const payoutDetailsWrite = (
  accountId: number,
  before: StoredPayoutDetails | undefined,
  after: StoredPayoutDetails,
): Write => ({
  name: 'payoutDetails',
  key: keys.payoutDetails(accountId),
  put: after,
  condition: unchanged(before),
});

/**
 * Fails if an account's payout details have changed since they were read. This request then reloads and decides again.
 * @param details the details as they were read; if they were deleted, only their hold is left
 */
export const payoutDetailsCheck = (accountId: number, details: StoredPayoutDetails | undefined): Write => ({
  name: 'payoutDetails',
  key: keys.payoutDetails(accountId),
  check: true,
  condition: unchanged(details),
});

export interface PayoutHold extends HoldTimes {
  readonly partnerId: number;
  /** The account whose details have changed. A brand does not see it before the details are shared. */
  readonly accountId?: number;
}

/**
 * The write that puts the payouts of a partner in one program on hold. A payout finds all holds of its program with one
 * query. There are two possible reasons, each with its own time in the item, so that one hold does not shorten the
 * other.
 */
export const payoutHoldWrite = (
  { programId, partnerId }: PartnerPointer,
  hold: Omit<PayoutHold, 'partnerId'>,
): Write => ({
  name: 'payoutHold',
  key: keys.payoutHold(programId, partnerId),
  change: { set: { partnerId, ...hold, expires_at: expiryOf(hold) } },
});

/**
 * When the item expires. One item may contain two holds for different reasons, so it stays until the longest possible
 * hold is over.
 */
const expiryOf = (hold: HoldTimes): number =>
  Math.ceil(addressHoldUntil(new Date(heldUntilOf(hold)!)).getTime() / 1_000);

/** A partner's payout hold in a program; undefined if there is none. It may be over already. */
export const findPayoutHold = (
  table: Table,
  { programId, partnerId }: PartnerPointer,
): Promise<PayoutHold | undefined> => table.get<PayoutHold>(keys.payoutHold(programId, partnerId));

/** The holds of a program that are in force at a time. */
export async function payoutHoldsOf(table: Table, programId: number, now: Date): Promise<PayoutHold[]> {
  const { pk, sk: prefix } = keys.payoutHold(programId, '');
  const holds = await table.query<PayoutHold>(pk, { prefix });
  return holds.filter((hold) => Date.parse(heldUntilOf(hold) ?? '') > now.getTime());
}

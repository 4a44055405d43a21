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

/** Where the payouts of an account go. */
export async function findPayoutDetails(table: Table, accountId: number): Promise<SealedPayoutDetails | undefined> {
  const stored = await findStoredDetails(table, accountId);
  return stored?.sealed === undefined ? undefined : stored;
}

/** The same, or what is left of deleted ones. */
export const findStoredDetails = (table: Table, accountId: number): Promise<StoredPayoutDetails | undefined> =>
  table.get<StoredPayoutDetails>(keys.payoutDetails(accountId));

export type StoredPayoutDetails = SealedPayoutDetails | DeletedPayoutDetails;

/** Which details they are, and until when they are held. */
const unchanged = (details: StoredPayoutDetails | undefined): Condition => ({
  equals: { sealed: details?.sealed, heldUntil: details?.heldUntil },
});

/** Writes an account's details. Two changes race: the loser decides again on what the winner left. */
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
 * Holds while an account's details are these: of a change at the same moment one is decided again.
 * @param details what is left of deleted ones included: it has their hold
 */
export const payoutDetailsCheck = (accountId: number, details: StoredPayoutDetails | undefined): Write => ({
  name: 'payoutDetails',
  key: keys.payoutDetails(accountId),
  check: true,
  condition: unchanged(details),
});

export interface PayoutHold extends HoldTimes {
  readonly partnerId: number;
  /** The account that has changed its details: nobody may see that before the details are shared. */
  readonly accountId?: number;
}

/**
 * Holds the payouts of a partner in one program, where a payout finds all that are held by one query. Each reason has a
 * time of its own in the item, so that none shortens what another one holds.
 */
export const payoutHoldWrite = (
  { programId, partnerId }: PartnerPointer,
  hold: Omit<PayoutHold, 'partnerId'>,
): Write => ({
  name: 'payoutHold',
  key: keys.payoutHold(programId, partnerId),
  change: { set: { partnerId, ...hold, expires_at: expiryOf(hold) } },
});

/** The item may hold for the other reason, too: no hold that was begun before lasts longer than this. */
const expiryOf = (hold: HoldTimes): number =>
  Math.ceil(addressHoldUntil(new Date(heldUntilOf(hold)!)).getTime() / 1_000);

/** Until when payouts of a program leave a partner out, if they do. */
export const findPayoutHold = (
  table: Table,
  { programId, partnerId }: PartnerPointer,
): Promise<PayoutHold | undefined> => table.get<PayoutHold>(keys.payoutHold(programId, partnerId));

/** The holds of a program at this time. */
export async function payoutHoldsOf(table: Table, programId: number, now: Date): Promise<PayoutHold[]> {
  const { pk, sk: prefix } = keys.payoutHold(programId, '');
  const holds = await table.query<PayoutHold>(pk, { prefix });
  return holds.filter((hold) => Date.parse(heldUntilOf(hold) ?? '') > now.getTime());
}

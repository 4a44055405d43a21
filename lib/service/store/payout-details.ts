import type { Partner } from '#lib/domain/partner.ts';
import { addressHoldUntil, heldUntilOf, type HoldTimes, type SealedPayoutDetails } from '#lib/domain/payout-details.ts';
import { keys } from '#lib/service/store/keys.ts';
import type { Condition } from '#lib/service/store/expressions.ts';
import type { PartnerPointer } from '#lib/service/store/partner-accounts.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** Where the payouts of an account go. */
export const findPayoutDetails = (table: Table, accountId: number): Promise<SealedPayoutDetails | undefined> =>
  table.get<SealedPayoutDetails>(keys.payoutDetails(accountId));

/** The details of the person who is a partner; nobody knows them before somebody signs in with its address. */
export const payoutDetailsOfPartner = async (
  table: Table,
  { accountId }: Pick<Partner, 'accountId'>,
): Promise<SealedPayoutDetails | undefined> =>
  accountId === undefined ? undefined : findPayoutDetails(table, accountId);

/** Which details they are, and until when they are held. */
const unchanged = (details: SealedPayoutDetails | undefined): Condition =>
  details ? { equals: { sealed: details.sealed, heldUntil: details.heldUntil } } : { isNew: true };

/** Writes an account's details. Two changes race: the loser decides again on what the winner left. */
export const payoutDetailsWrite = (
  accountId: number,
  before: SealedPayoutDetails | undefined,
  after: SealedPayoutDetails,
): Write => ({
  name: 'payoutDetails',
  key: keys.payoutDetails(accountId),
  put: after,
  condition: unchanged(before),
});

/** Holds while an account's details are these: of a change at the same moment one is decided again. */
export const payoutDetailsCheck = (accountId: number, details: SealedPayoutDetails | undefined): Write => ({
  name: 'payoutDetails',
  key: keys.payoutDetails(accountId),
  check: true,
  condition: unchanged(details),
});

interface PayoutHold extends HoldTimes {
  readonly partnerId: number;
}

/**
 * Holds the payouts of a partner in one program, where a payout finds all that are held by one query. Each reason has a
 * time of its own in the item, so that none shortens what another one holds.
 */
export const payoutHoldWrite = ({ programId, partnerId }: PartnerPointer, hold: HoldTimes): Write => ({
  name: 'payoutHold',
  key: keys.payoutHold(programId, partnerId),
  change: { set: { partnerId, ...hold, expires_at: expiryOf(hold) } },
});

/** The item may hold for the other reason, too: no hold that was begun before lasts longer than this. */
const expiryOf = (hold: HoldTimes): number =>
  Math.ceil(addressHoldUntil(new Date(heldUntilOf(hold)!)).getTime() / 1_000);

/** Until when payouts of a program leave a partner out, if they do. */
export async function findPayoutHold(
  table: Table,
  { programId, partnerId }: PartnerPointer,
): Promise<string | undefined> {
  const hold = await table.get<PayoutHold>(keys.payoutHold(programId, partnerId));
  return hold && heldUntilOf(hold);
}

/** The partners of a program whose payouts are held at this time. */
export async function heldPartnersOf(table: Table, programId: number, now: Date): Promise<ReadonlySet<number>> {
  const { pk, sk: prefix } = keys.payoutHold(programId, '');
  const holds = await table.query<PayoutHold>(pk, { prefix });
  const isOver = (hold: PayoutHold) => Date.parse(heldUntilOf(hold) ?? '') <= now.getTime();
  return new Set(holds.filter((hold) => !isOver(hold)).map(({ partnerId }) => partnerId));
}

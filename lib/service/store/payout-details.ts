import type { Partner } from '#lib/domain/partner.ts';
import type { SealedPayoutDetails } from '#lib/domain/payout-details.ts';
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

interface PayoutHold {
  readonly partnerId: number;
  readonly heldUntil: string;
}

/** Holds the payouts of a partner in one program, where a payout finds all that are held by one query. */
export const payoutHoldWrite = ({ programId, partnerId }: PartnerPointer, until: Date): Write => ({
  name: 'payoutHold',
  key: keys.payoutHold(programId, partnerId),
  put: {
    ...({ partnerId, heldUntil: until.toISOString() } satisfies PayoutHold),
    expires_at: Math.ceil(until.getTime() / 1_000),
  },
});

/** Until when payouts of a program leave a partner out, if they do. */
export const findPayoutHold = (
  table: Table,
  { programId, partnerId }: PartnerPointer,
): Promise<Pick<PayoutHold, 'heldUntil'> | undefined> => table.get<PayoutHold>(keys.payoutHold(programId, partnerId));

/** The partners of a program whose payouts are held at this time. */
export async function heldPartnersOf(table: Table, programId: number, now: Date): Promise<ReadonlySet<number>> {
  const { pk, sk: prefix } = keys.payoutHold(programId, '');
  const holds = await table.query<PayoutHold>(pk, { prefix });
  return new Set(
    holds.filter(({ heldUntil }) => Date.parse(heldUntil) > now.getTime()).map(({ partnerId }) => partnerId),
  );
}

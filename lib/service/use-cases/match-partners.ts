import type { Account } from '#lib/domain/account.ts';
import { isHeld } from '#lib/domain/payout-details.ts';
import type { Deps } from '#lib/service/deps.ts';
import {
  findPartnerOfAccount,
  matchWrites,
  type PartnerPointer,
  partnersOfAddress,
  staleAddressWrite,
} from '#lib/service/store/partner-accounts.ts';
import { findPartner } from '#lib/service/store/partners.ts';
import { findPayoutDetails, payoutHoldWrite } from '#lib/service/store/payout-details.ts';
import { ConditionFailed, type Write } from '#lib/service/store/writes.ts';

/** Programs whose partner an account becomes by one request; those that are left follow with the next one. */
const MOST_AT_ONCE = 50;

/** Makes an account the partner of every program that lists its address. An account stays what it is already. */
export async function matchPartners(deps: Deps, account: Account): Promise<void> {
  const pointers = await partnersOfAddress(deps.table, account.email, MOST_AT_ONCE);
  await Promise.all(pointers.map((pointer) => matchPartner(deps, account, pointer)));
  if (pointers.length > 0) deps.table.forget();
}

/** Whoever loses a race against another change of the partner is matched at the next request, if it is still due. */
export async function matchPartner(
  { table, now }: Deps,
  account: Account,
  { programId, partnerId }: PartnerPointer,
): Promise<void> {
  const [partner, pointer, hold] = await Promise.all([
    findPartner(table, programId, partnerId),
    findPartnerOfAccount(table, account.id, programId),
    holdWrites({ table, now }, account, { programId, partnerId }),
  ]);
  const { email } = account;
  const isDue = partner?.email === email && partner.accountId === undefined && !pointer;
  const writes = isDue
    ? [...matchWrites(account, partner), ...hold]
    : [staleAddressWrite({ email, programId, id: partnerId })];
  await table.transact(writes).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

/** A hold of a person's payouts is one of each partner that the person becomes, too. */
export async function holdWrites(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { id }: Account,
  pointer: PartnerPointer,
): Promise<Write[]> {
  const details = await findPayoutDetails(table, id);
  return details?.heldUntil !== undefined && isHeld(details, now)
    ? [payoutHoldWrite(pointer, new Date(details.heldUntil))]
    : [];
}

import type { Account } from '#lib/service/ground/addresses/account.ts';
import { isHeld } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findPartnerOfAccount,
  matchWrites,
  type PartnerPointer,
  partnersOfAddress,
  staleAddressWrite,
} from '#lib/service/people/accounts/partner-accounts-items.ts';
import { hasAddress } from '#lib/service/programs/partners/partner.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import {
  findStoredDetails,
  payoutDetailsCheck,
  payoutHoldWrite,
} from '#lib/service/programs/payout-details/payout-details-items.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** In how many programs one request links the account at most. The next request does the rest. */
const MOST_AT_ONCE = 50;

/**
 * Links an account to the partner with its address in every program that lists this address, so that the person can
 * accept. Existing partnerships of the account are not changed.
 */
export async function matchPartners(deps: Pick<Deps, 'table' | 'now'>, account: Account): Promise<void> {
  const pointers = await partnersOfAddress(deps.table, account.email, MOST_AT_ONCE);
  // The partners are linked one after the other, because each of these transactions checks the account's payout
  // details.
  for (const pointer of pointers) await matchPartner(deps, account, pointer);
  if (pointers.length > 0) deps.table.forget();
}

/**
 * Links an account to one partner. If another request changes the partner at the same time, nothing is written, and the
 * person's next request tries again.
 */
export const matchPartner = (
  deps: Pick<Deps, 'table' | 'now'>,
  account: Account,
  { programId, partnerId }: PartnerPointer,
): Promise<void> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const [partner, pointer, hold] = await Promise.all([
      findPartner(table, programId, partnerId),
      findPartnerOfAccount(table, account.id, programId),
      holdWrites(deps, account, { programId, partnerId }),
    ]);
    const { email } = account;
    const isDue = partner?.email === email && partner.accountId === undefined && !pointer;
    const writes =
      isDue && hasAddress(partner)
        ? [...matchWrites(account, partner), ...hold]
        : [staleAddressWrite({ email, programId, id: partnerId })];
    await table.transact(writes).catch((error: unknown) => {
      if (!(error instanceof ConditionFailed) || error.existing.has('payoutDetails')) throw error;
    });
  });

/** Writes that put a linked partner's payouts on hold if the account's payouts are. They fail if its details change. */
export async function holdWrites(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { id }: Account,
  pointer: PartnerPointer,
): Promise<Write[]> {
  const details = await findStoredDetails(table, id);
  const isToHold = details?.heldUntil !== undefined && isHeld(details, now);
  return [
    payoutDetailsCheck(id, details),
    ...(isToHold ? [payoutHoldWrite(pointer, { heldUntil: details.heldUntil, accountId: id })] : []),
  ];
}

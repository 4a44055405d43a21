import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { addressHoldUntil, type ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { lastPaidAt } from '#lib/service/earnings/payouts/partner-payouts-items.ts';

/** Of a payout that is only previewed. */
const NO_ID = 0;

/**
 * Whether the owner has never paid a partner there: nothing was paid to the partner in this program yet, or its details
 * are others than at the payout before this one. Somebody who was paid and has no details has nothing new.
 * @param pending the details, which are read at the same time
 */
export async function isNewSinceLastPayout(
  { table }: Pick<Deps, 'table'>,
  partner: Partner,
  pending: Promise<ShownPayoutDetails | undefined>,
  payout: Pick<Payout, 'id' | 'createdAt'>,
): Promise<boolean> {
  const [paidAt, details] = await Promise.all([
    lastPaidAt(table, partner, payout.id === NO_ID ? undefined : payout),
    pending,
  ]);
  if (paidAt === undefined) return true;
  if (details === undefined) return false;
  // Older details are new to this program, too, where their person has joined it since, or may be another one by now.
  const { joinedAt = '', addressHeldUntil = '' } = partner;
  const isAddressNew = addressHeldUntil >= addressHoldUntil(new Date(paidAt)).toISOString();
  return isAddressNew || [details.updatedAt, joinedAt].some((at) => at >= paidAt);
}

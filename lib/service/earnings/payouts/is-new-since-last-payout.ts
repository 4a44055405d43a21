import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { addressHoldUntil, type ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { lastPaidAt } from '#lib/service/earnings/payouts/partner-payouts-items.ts';

/** The id of a payout that is only previewed. */
const NO_ID = 0;

/**
 * Whether a partner's payment goes to a new destination: nothing was paid to the partner in this program yet, or the
 * details have changed since the previous payout. False if the partner was paid before and has no details.
 * @param pending the details, whose read runs in parallel
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
  // Details set before the payout also count as new in two cases: the account joined the payout's program only after
  // the payout, or the partner's e-mail address has changed since, so that the account may belong to someone else.
  const { joinedAt = '', addressHeldUntil = '' } = partner;
  const isAddressNew = addressHeldUntil >= addressHoldUntil(new Date(paidAt)).toISOString();
  return isAddressNew || [details.updatedAt, joinedAt].some((at) => at >= paidAt);
}

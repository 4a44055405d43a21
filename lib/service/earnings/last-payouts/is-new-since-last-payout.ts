import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { LastPaid } from '#lib/service/earnings/last-payouts/last-payments.ts';
import { addressHoldUntil, type ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';

/**
 * Whether a partner's payment goes to a new destination: nothing was paid to the partner in this program yet, or the
 * details have changed since the previous payout. False if the partner was paid before and has no details.
 * @param lastPaid when partners were paid before this payout
 * @param pending the details, whose read runs in parallel
 */
export async function isNewSinceLastPayout(
  lastPaid: LastPaid,
  partner: Partner,
  pending: Promise<ShownPayoutDetails | undefined>,
): Promise<boolean> {
  const [paidAt, details] = await Promise.all([lastPaid(partner), pending]);
  if (paidAt === undefined) return true;
  if (details === undefined) return false;
  // Details that were set before the previous payout count as new in two cases. The account may have joined this
  // program only after that payout. Or the partner's e-mail address has changed since, and then the account may belong
  // to someone else.
  const { joinedAt = '', addressHeldUntil = '' } = partner;
  const isAddressNew = addressHeldUntil >= addressHoldUntil(new Date(paidAt)).toISOString();
  return isAddressNew || [details.updatedAt, joinedAt].some((at) => at >= paidAt);
}

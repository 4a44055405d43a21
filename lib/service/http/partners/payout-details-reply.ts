import {
  heldUntilOf,
  type HoldTimes,
  type ShownPayoutDetails,
} from '#lib/service/programs/payout-details/payout-details.ts';
import type * as wire from '#lib/wire/partners/portal-payout-details.ts';

export const shownPayoutDetails = ({ method, masked, updatedAt }: ShownPayoutDetails): wire.PayoutDetails => ({
  method,
  masked,
  updated_at: updatedAt,
});

/** Null for an account that has none. */
export const payoutDetailsReply = (details: ShownPayoutDetails | undefined): wire.PayoutDetails | null =>
  details ? shownPayoutDetails(details) : null;

/** As the brand sees them. @param partner whose address may have been changed, which holds payouts, too */
export const partnersPayoutReply = (
  details: ShownPayoutDetails | undefined,
  partner: Pick<HoldTimes, 'addressHeldUntil'> = {},
): wire.PartnersPayout | null =>
  details
    ? { ...shownPayoutDetails(details), held_until: heldUntilOf({ ...partner, heldUntil: details.heldUntil }) ?? null }
    : null;

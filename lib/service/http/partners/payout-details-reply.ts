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

/** The account's payout details; null if there are none. */
export const payoutDetailsReply = (details: ShownPayoutDetails | undefined): wire.PayoutDetails | null =>
  details ? shownPayoutDetails(details) : null;

/**
 * Payout details as the brand sees them.
 * @param partner the partner whose details they are; payouts to this partner are also on hold after its address was
 * changed
 */
export const partnersPayoutReply = (
  details: ShownPayoutDetails | undefined,
  partner: Pick<HoldTimes, 'addressHeldUntil'> = {},
): wire.PartnersPayout | null =>
  details
    ? { ...shownPayoutDetails(details), held_until: heldUntilOf({ ...partner, heldUntil: details.heldUntil }) ?? null }
    : null;

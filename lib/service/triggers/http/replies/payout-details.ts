import type { ShownPayoutDetails } from '#lib/domain/payout-details.ts';
import type * as wire from '#lib/wire/portal/payout-details.ts';

export const shownPayoutDetails = ({ method, masked, updatedAt }: ShownPayoutDetails): wire.PayoutDetails => ({
  method,
  masked,
  updated_at: updatedAt,
});

/** Null for an account that has none. */
export const payoutDetailsReply = (details: ShownPayoutDetails | undefined): wire.PayoutDetails | null =>
  details ? shownPayoutDetails(details) : null;

/** As the brand sees them. */
export const partnersPayoutReply = (details: ShownPayoutDetails | undefined): wire.PartnersPayout | null =>
  details ? { ...shownPayoutDetails(details), held_until: details.heldUntil ?? null } : null;

import { type Partner, isConsentingPartner } from '#lib/service/programs/partners/partner.ts';
import type { SealedPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';

/** What must be known to decide what a workspace may see of the account behind a partner. */
export interface PartnerShare {
  /** Payout details of the account, whether they are shared or not. */
  readonly details?: SealedPayoutDetails;
  /** Whether the details are shared through another program of the workspace. */
  readonly isSharedElsewhere: boolean;
}

/**
 * The part of a partner's account that the brand may see: whether the partner has an account, and where payouts go. In
 * a program that the person has not accepted, nothing reveals the account, even if they share details through another
 * program.
 */
export function shownShare(
  partner: Partner,
  { details, isSharedElsewhere }: PartnerShare,
): { readonly isShared: boolean; readonly details?: SealedPayoutDetails } {
  const isAccepted = partner.accountId !== undefined && partner.joinedAt !== undefined;
  const isShared = isAccepted && (isSharedElsewhere || isConsentingPartner(partner));
  return { isShared, details: isShared ? details : undefined };
}

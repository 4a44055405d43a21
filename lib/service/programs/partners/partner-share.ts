import { type Partner, sharesByItself } from '#lib/service/programs/partners/partner.ts';
import type { SealedPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';

/** What a workspace may see of the account behind a partner depends on this. */
export interface PartnerShare {
  /** Of the account, whether they are shared or not. */
  readonly details?: SealedPayoutDetails;
  /** Whether another program of the workspace shares them. */
  readonly isSharedElsewhere: boolean;
}

/**
 * The account of a partner as its brand may see it: whether there is one, and where payouts go. In a program where the
 * person has not accepted nothing tells of the account, whatever they share through another one.
 */
export function shownShare(
  partner: Partner,
  { details, isSharedElsewhere }: PartnerShare,
): { readonly isShared: boolean; readonly details?: SealedPayoutDetails } {
  const isAccepted = partner.accountId !== undefined && partner.joinedAt !== undefined;
  const isShared = isAccepted && (isSharedElsewhere || sharesByItself(partner));
  return { isShared, details: isShared ? details : undefined };
}

import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPayoutDetails } from '#lib/service/programs/payout-details/payout-details-items.ts';

/** The masked payout details of an account, if it has any. */
export const payoutDetailsOf = ({ table }: Deps, accountId: number): Promise<ShownPayoutDetails | undefined> =>
  findPayoutDetails(table, accountId);

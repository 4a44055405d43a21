import type { ShownPayoutDetails } from '#lib/domain/payout-details.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPayoutDetails } from '#lib/service/store/payout-details.ts';

/** What is shown of an account's payout details, if it has any. */
export const payoutDetailsOf = ({ table }: Deps, accountId: number): Promise<ShownPayoutDetails | undefined> =>
  findPayoutDetails(table, accountId);

import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { PartnerPointer } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { lastPaidAt } from '#lib/service/earnings/payouts/partner-payouts-items.ts';
import { hasUnsettledCommission } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';

/** How many programs are checked in parallel. Most people are partners in fewer programs. */
const LOOKED_AT_ONCE = 10;

/**
 * Whether any of these partners has a commission that may still be paid, or was ever in a payout, even if the money has
 * not been sent yet. Only the index is read, which is eventually consistent.
 */
export async function hasEarnedAnything(
  { table }: Pick<Deps, 'table'>,
  partners: readonly PartnerPointer[],
): Promise<boolean> {
  for (let at = 0; at < partners.length; at += LOOKED_AT_ONCE) {
    const found = await Promise.all(
      partners.slice(at, at + LOOKED_AT_ONCE).map(async ({ programId, partnerId }) => {
        const [isOwed, paidAt] = await Promise.all([
          hasUnsettledCommission(table, programId, partnerId),
          lastPaidAt(table, { programId, id: partnerId }),
        ]);
        return isOwed || paidAt !== undefined;
      }),
    );
    if (found.includes(true)) return true;
  }
  return false;
}

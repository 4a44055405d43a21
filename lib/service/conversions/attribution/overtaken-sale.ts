import { commissionIsDue, type SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { CommissionTerms } from '#lib/service/programs/terms/terms.ts';
import { changeAfter, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { recalculated } from '#lib/service/conversions/tiers/recalculated-commission.ts';
import type { RefundShare, StoredStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { timeAfter } from '#lib/service/ground/changes/versions.ts';

/** A sale and its commission, with the shares that its recorded refunds have in the commission. */
interface OvertakenSale {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
  /** In the order of the refunds; none where they stay as they are. */
  readonly shares: readonly RefundShare[];
}

const EARLIER_KNOWN = 'an earlier payment became known';

/** Whether a row of a history tells such a change. */
export const tellsEarlier = (reason: string | null): boolean => reason === EARLIER_KNOWN;

/**
 * A recorded sale after an earlier payment of its customer became known. A later invoice of a subscription is a renewal
 * now, and the months of a recurring commission began earlier. A commission that is not due by that is worth nothing, and
 * has no fee; what was paid for it is taken back as after a refund.
 * @param firstPurchaseAt when the earlier payment was made, ISO 8601
 * @param durationMonths of the sale's terms
 * @param refunds every recorded one of the sale
 */
export function overtaken(
  { sale, commission }: Omit<OvertakenSale, 'shares'>,
  { firstPurchaseAt, durationMonths }: { readonly firstPurchaseAt: string } & Pick<CommissionTerms, 'durationMonths'>,
  refunds: readonly StoredStep[],
  change: StatusChange,
): OvertakenSale {
  const renewed = sale.wouldRenew ? asRenewal(sale, change.at) : sale;
  if (!commission || commission.isOvertaken) return { sale: renewed, commission, shares: [] };
  const { commissionType } = commission;
  const payment = { isRecurring: renewed.isRecurring, paidAt: new Date(sale.occurredAt), firstPurchaseAt };
  if (commissionIsDue({ commissionType, durationMonths }, payment)) return { sale: renewed, commission, shares: [] };
  const { bps, currency } = commission.platformFee;
  const worthless: SaleCommission = {
    ...commission,
    isOvertaken: true,
    platformFee: { amountCents: 0, reducedCents: 0, bps, currency },
    needsReview: commission.needsReview || commission.status === 'paid' || undefined,
  };
  const after = changeAfter(commission, { ...change, at: timeAfter(change.at, renewed.changedAt) });
  return { sale: renewed, ...recalculated(worthless, sale, refunds, after, EARLIER_KNOWN) };
}

const asRenewal = (sale: Sale, at: Date): Sale => ({
  ...sale,
  isRecurring: true,
  renewalBy: 'billing_reason',
  wouldRenew: undefined,
  changedAt: timeAfter(at, changedAtOf(sale)).toISOString(),
});

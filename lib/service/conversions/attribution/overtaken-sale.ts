import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionIsDue } from '#lib/service/programs/terms/commission-amount.ts';
import type { CommissionTerms } from '#lib/service/programs/terms/terms.ts';
import { changeAfter, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { recalculated } from '#lib/service/conversions/tiers/recalculated-commission.ts';
import type { RefundShare, StoredStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { timeAfter } from '#lib/service/ground/changes/versions.ts';

/** A sale and its commission, and what each of the sale's refunds now deducts from that commission. */
interface OvertakenSale {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
  /** What each refund deducts, in the order of the refunds. Empty if the deductions do not change. */
  readonly shares: readonly RefundShare[];
}

const EARLIER_KNOWN = 'an earlier payment became known';

/** Whether a history row's reason is that an earlier payment became known. */
export const isEarlierPaymentReason = (reason: string | null): boolean => reason === EARLIER_KNOWN;

/**
 * Corrects a recorded sale after an earlier payment of its customer became known. A recorded sale of a subscription
 * becomes a renewal, and the months in which a recurring commission is paid start earlier. If the commission is no
 * longer due, its amount and fee become zero; if it was paid, the amount is taken back as after a refund.
 * @param firstPurchaseAt when the earlier payment was made, ISO 8601
 * @param durationMonths from the sale's terms
 * @param refunds all recorded refunds of the sale
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

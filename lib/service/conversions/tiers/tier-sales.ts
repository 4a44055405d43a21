import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { isFinal, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { recalculated } from '#lib/service/conversions/tiers/recalculated-commission.ts';
import type { RefundShare, StoredStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { rateFor } from '#lib/service/programs/terms/terms.ts';

/**
 * A commission computed with its month's final number of sales, and what each of the sale's refunds deducts from it.
 */
interface SettledTier {
  readonly commission: SaleCommission;
  /** What each refund deducts, in the order of the refunds. Empty if the deductions do not change. */
  readonly shares: readonly RefundShare[];
}

/**
 * Updates a commission when its partner's sales of the month are final. It is computed again if the rate changes,
 * unless it was paid or rejected: a paid commission keeps the number of sales by which it was paid, and a rejected one
 * is computed again only if it is reopened.
 * @param sales the final number of sales
 * @param refunds all recorded refunds of the sale
 */
export function withCertainSales(
  sale: Sale,
  commission: SaleCommission,
  sales: number,
  refunds: readonly StoredStep[],
  change: StatusChange,
): SettledTier {
  if (commission.status === 'rejected') return { commission, shares: [] };
  const { rates, ...decided } = commission.tierSales!;
  if (!rates || isFinal(commission)) return { commission: { ...commission, tierSales: decided }, shares: [] };
  const certain = { ...commission, commissionRate: rateFor(rates, sales), tierSales: { ...decided, sales } };
  if (certain.commissionRate === commission.commissionRate) return { commission: certain, shares: [] };
  return recalculated(certain, sale, refunds, change, monthKnown(decided.month));
}

const MONTH_KNOWN = 'it became known what was sold in ';
const monthKnown = (month: string): string => `${MONTH_KNOWN}${month}`;

/** Whether a row of the commission's history was written because the month's number of sales became final. */
export const isFinalMonthReason = (reason: string | null): boolean => reason?.startsWith(MONTH_KNOWN) ?? false;

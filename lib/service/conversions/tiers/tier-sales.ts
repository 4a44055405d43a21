import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { isFinal, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { recalculated } from '#lib/service/conversions/tiers/recalculated-commission.ts';
import type { RefundShare, StoredStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { rateFor } from '#lib/service/programs/terms/terms.ts';

/**
 * A commission computed with the final number of sales of its month, and the amounts that the sale's refunds deduct
 * from it.
 */
interface SettledTier {
  readonly commission: SaleCommission;
  /** Shares of the refunds, in their order. Empty if they do not change. */
  readonly shares: readonly RefundShare[];
}

/**
 * Updates a commission when its partner's sales of the month are final. It is computed again if the rate changes,
 * unless it was paid or rejected: a paid one keeps the number that it was paid by, and a rejected one waits until it is
 * reopened.
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

/** Whether a history row's reason is that the month's sales became final. */
export const isFinalMonthReason = (reason: string | null): boolean => reason?.startsWith(MONTH_KNOWN) ?? false;

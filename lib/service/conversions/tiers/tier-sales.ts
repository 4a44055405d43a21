import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { isFinal, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { recalculated } from '#lib/service/conversions/tiers/recalculated-commission.ts';
import type { RefundShare, StoredStep } from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { rateFor } from '#lib/service/programs/terms/terms.ts';

/** The commission of a sale by the certain number of its month, with the shares that its refunds have in it. */
interface SettledTier {
  readonly commission: SaleCommission;
  /** In the order of the refunds; none where they stay as they are. */
  readonly shares: readonly RefundShare[];
}

/**
 * The commission once it is certain what its partner sold in the month by which its tiers go. It is made anew where that
 * gives another rate, unless it was paid or rejected: then it stays, with the number by which it was paid.
 * @param sales the certain number
 * @param refunds every recorded one of the sale
 */
export function withCertainSales(
  sale: Sale,
  commission: SaleCommission,
  sales: number,
  refunds: readonly StoredStep[],
  change: StatusChange,
): SettledTier {
  const { rates, ...decided } = commission.tierSales!;
  if (!rates || isFinal(commission)) return { commission: { ...commission, tierSales: decided }, shares: [] };
  const certain = { ...commission, commissionRate: rateFor(rates, sales), tierSales: { ...decided, sales } };
  if (certain.commissionRate === commission.commissionRate) return { commission: certain, shares: [] };
  return recalculated(certain, sale, refunds, change, monthKnown(decided.month));
}

const MONTH_KNOWN = 'it became known what was sold in ';
const monthKnown = (month: string): string => `${MONTH_KNOWN}${month}`;

/** Whether a row of a history tells such a change. */
export const tellsMonth = (reason: string | null): boolean => reason?.startsWith(MONTH_KNOWN) ?? false;

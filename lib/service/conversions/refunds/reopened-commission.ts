import {
  type Commission,
  lateDeductionOf,
  ofSale,
  type SaleCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import { reopened, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import {
  reducedCommission,
  shareOf,
  withinBounds,
  withRefundRow,
} from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { saleFullyRefunded } from '#lib/service/ground/values/refusals.ts';

/**
 * Takes back an approval or a rejection. Refunds deduct nothing from a rejected commission, so the refunds recorded
 * since the rejection are deducted now.
 * @param commission with its status at the time of the change (see asReadAt)
 * @param sale of a rejected commission; undefined if no sale earned it
 * @throws Refusal if the status does not allow it, or the sale was refunded in full
 */
export function reopenedCommission(
  commission: Commission,
  sale: Sale | undefined,
  reason: string,
  change: StatusChange,
): Commission {
  const open = reopened(commission, reason, change);
  const bounded = { ...open, history: withinBounds(open.history) };
  const earned = ofSale(bounded);
  if (!earned || !sale) return bounded;
  if (sale.refundedCents >= sale.amountCents) throw saleFullyRefunded();
  return withLateDeduction(earned, sale, change);
}

function withLateDeduction(commission: SaleCommission, sale: Sale, change: StatusChange): SaleCommission {
  const reduced = reducedCommission(commission, sale);
  const share = shareOf(commission, reduced);
  if (share.deductionCents === 0 && share.feeReductionCents === 0) return reduced;
  // The deduction can be negative, because a dispute was won or a refund was corrected since.
  const cause = share.deductionCents < 0 ? 'correction' : (sale.refundReason ?? 'refund');
  const logged = withRefundRow(commission, reduced, cause, change);
  const { lateDeductions = {} } = commission;
  const day = dayOf(new Date(logged.history.at(-1)!.at));
  const earlier = lateDeductionOf({ lateDeductions: day in lateDeductions ? { [day]: lateDeductions[day]! } : {} });
  return {
    ...logged,
    lateDeductions: {
      ...lateDeductions,
      [day]: {
        deductionCents: earlier.deductionCents + share.deductionCents,
        feeReductionCents: earlier.feeReductionCents + share.feeReductionCents,
      },
    },
  };
}

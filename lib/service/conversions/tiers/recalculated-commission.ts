import type { AuditRow, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionAmount } from '#lib/service/programs/terms/commission-amount.ts';
import { baseCentsOf } from '#lib/service/programs/terms/commission-base.ts';
import { changeAfter, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import {
  type RefundShare,
  type StoredStep,
  withRefunds,
} from '#lib/service/conversions/refunds/refunded-commission.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';

const WORTHLESS = { amountCents: 0 } as const;

/**
 * Computes a commission again after its rate or the sale's base amount has changed. Fee and status stay the same, and
 * each refund still deducts the same share.
 * @param refunds all recorded refunds of the sale
 * @param reason why it is computed again, for the history
 */
export function recalculated(
  commission: SaleCommission,
  sale: Sale,
  refunds: readonly StoredStep[],
  change: StatusChange,
  reason: string,
): { readonly commission: SaleCommission; readonly shares: readonly RefundShare[] } {
  const { status, platformFee, history } = commission;
  const { amountCents } = commission.isOvertaken ? WORTHLESS : commissionAmount(commission, sale);
  const amounts = { baseAmountCents: baseCentsOf(sale), amountCents };
  const unrefunded = { ...commission, ...amounts, deductedCents: 0, platformFee: { ...platformFee, reducedCents: 0 } };
  const { commission: refunded, shares } = withRefunds(unrefunded, sale, refunds, change);
  const { actor, at } = changeAfter(commission, change);
  const row: AuditRow = {
    at: at.toISOString(),
    actor,
    action: 'recalculated',
    from: status,
    to: status,
    amountCents,
    reason,
  };
  const { deductedCents } = refunded;
  const heldShares = shares.filter((_, index) => refunds[index]!.whileHeld);
  const isReleased = commission.releasedAt !== undefined;
  const heldCents = (of: keyof RefundShare) =>
    isReleased ? sumOf(heldShares.map((share) => share[of])) || undefined : undefined;
  return {
    commission: {
      ...commission,
      ...amounts,
      deductedCents,
      heldDeductedCents: heldCents('deductionCents'),
      platformFee: { ...platformFee, heldReducedCents: heldCents('feeReductionCents') },
      // The recomputed deductions already include what the reopening of the commission had deducted.
      lateDeductions: undefined,
      history: [...history, row],
    },
    shares,
  };
}

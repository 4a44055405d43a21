import type { ApiRefundCall } from '#lib/service/conversions/refunds/api-refunds.ts';
import type { SaleCommission, RefundReason } from '#lib/service/earnings/commissions/commission.ts';
import { monthOf } from '#lib/service/ground/values/day.ts';
import { timeAfter } from '#lib/service/ground/changes/versions.ts';
import type { StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import {
  countingOf,
  reducedCommission,
  type RefundStep,
  shareOf,
  withRefundRow,
} from '#lib/service/conversions/refunds/refunded-commission.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { isShown } from '#lib/service/conversions/sales/sale-version.ts';
import { refundAboveSale, refundRecordedOtherwise } from '#lib/service/ground/values/refusals.ts';
import {
  duplicatePart,
  isRaisedByProcessor,
  refundedByApi,
  type RefundedPart,
  stepsOf,
  type Reversal,
  reportedReversalsOf,
  withApiRefundsOf,
} from '#lib/service/conversions/refunds/reversals.ts';

/** A refund that was sent through the API. */
export interface Refund extends StatusChange, Omit<ApiRefundCall, 'amountCents'> {
  /**
   * The amount of this refund if it has an id; otherwise the total of all refunds of the sale so far. Undefined means
   * the whole amount of the sale.
   */
  readonly amountCents?: number;
  readonly reason: RefundReason;
}

/** A sale and its commission after a refund, and the change of the refunded total in steps. */
export interface Refunded {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
  readonly steps: readonly RefundStep[];
}

export type RefundOutcome =
  | { readonly status: 'noCommission'; readonly after?: Refunded }
  | {
      readonly status: 'skipped';
      readonly reason: 'already reversed' | 'already refunded' | 'commission rejected' | 'reported by the processor';
      readonly after?: Refunded;
    }
  | {
      readonly status: 'refunded' | 'reversed' | 'corrected';
      readonly refundedCents: number;
      readonly deductionCents: number;
      readonly after: Refunded;
    };

/**
 * Sets the time at which the sale became fully refunded, or removes it after a won dispute or a correction. If the
 * month of that time is over, the removed time is kept in `formerFullRefunds`, because the monthly number of sales for
 * tiers must not change any more.
 */
export function withFullRefund(sale: Sale, at: Date): Sale {
  const { fullyRefundedAt, formerFullRefunds } = sale;
  if (sale.refundedCents >= sale.amountCents) return { ...sale, fullyRefundedAt: fullyRefundedAt ?? at.toISOString() };
  if (fullyRefundedAt === undefined || monthOf(fullyRefundedAt) === monthOf(at.toISOString())) {
    return { ...sale, fullyRefundedAt: undefined };
  }
  return { ...sale, fullyRefundedAt: undefined, formerFullRefunds: [...(formerFullRefunds ?? []), fullyRefundedAt] };
}

/**
 * Computes the result of a refund call for a sale and its commission. If the result has no `after`, nothing is written.
 * @throws Refusal if the amount is too high, or if the refund id was recorded with another amount
 */
export function refundOutcome(sale: Sale, commission: SaleCommission | undefined, refund: Refund): RefundOutcome {
  const { amountCents = sale.amountCents, refundId, recorded, isCorrection, reason } = refund;
  if (amountCents > sale.amountCents) throw refundAboveSale(sale.amountCents);
  if (refundId !== undefined && recorded && recorded.amountCents !== amountCents && !isCorrection) {
    throw refundRecordedOtherwise(refundId, recorded.amountCents);
  }
  const part = refundedByApi(sale, { amountCents, refundId, recorded, isCorrection }, reason);
  const isLower = part !== undefined && part.refundedCents < sale.refundedCents;
  const after = part && stepped({ sale, commission, steps: [] }, isLower ? 'correction' : reason, part, refund);
  if (!commission) return { status: 'noCommission', after };
  if (commission.status === 'rejected') return { status: 'skipped', reason: 'commission rejected', after };
  if (!after || after.sale.refundedCents === sale.refundedCents) {
    return { status: 'skipped', reason: skippedFor(after?.sale ?? sale, commission, refund), after };
  }
  const reversedOrRefunded = after.commission?.status === 'reversed' ? 'reversed' : 'refunded';
  return {
    status: isLower ? 'corrected' : reversedOrRefunded,
    refundedCents: after.sale.refundedCents,
    deductionCents: shareOf(commission, after.commission).deductionCents,
    after,
  };
}

/** The reason in the reply if a call does not change the refunded total. */
function skippedFor(sale: Sale, { status }: SaleCommission, { recorded, isCorrection }: Refund) {
  if (isCorrection) return isRaisedByProcessor(sale) ? 'reported by the processor' : 'already refunded';
  return status === 'reversed' && !recorded ? 'already reversed' : 'already refunded';
}

/**
 * Applies refunds and disputes from the processor to a sale and its commission. In any order of the reports the amounts
 * are the same; only the rows of the commission's history differ.
 */
export const withReversals = (
  sale: Sale,
  commission: SaleCommission | undefined,
  reversals: readonly Reversal[],
  change: StatusChange,
): Refunded =>
  reversals.reduce<Refunded>(
    (state, reversal) =>
      stepsOf(state.sale, reversal).reduce(
        (before, { reason, after }) => stepped(before, reason, after, change),
        state,
      ),
    { sale, commission, steps: [] },
  );

/** Marks a sale as a duplicate of another sale, whose transaction id it stores, and reverses its whole amount. */
export const asDuplicate = (
  { sale, commission }: Pick<Refunded, 'sale' | 'commission'>,
  duplicateOf: string,
  change: StatusChange,
): Refunded => {
  const marked = { ...sale, duplicateOf };
  return stepped({ sale: marked, commission, steps: [] }, 'duplicate', duplicatePart(marked), change);
};

/**
 * Applies a duplicate's refunds and disputes to the sale that counts.
 * @param movedCents the sum of those refunds with ids of the duplicate that the sale lacks
 */
export function withReversalsOf(
  { sale, commission }: Pick<Refunded, 'sale' | 'commission'>,
  duplicate: Sale,
  movedCents: number,
  change: StatusChange,
): Refunded {
  const reported = withReversals(sale, commission, reportedReversalsOf(duplicate), change);
  const part = withApiRefundsOf(reported.sale, duplicate, movedCents);
  return part ? stepped(reported, duplicate.refundReason ?? 'refund', part, change) : reported;
}

function stepped(
  { sale, commission, steps }: Refunded,
  reason: RefundStep['reason'],
  part: RefundedPart,
  change: StatusChange,
): Refunded {
  const at = timeAfter(change.at, changedAtOf(sale), commission?.history.at(-1)?.at);
  const createdAt = at.toISOString();
  const refunded = withFullRefund({ ...sale, ...part }, at);
  const after = isShown(sale, refunded) ? { ...refunded, changedAt: createdAt } : refunded;
  const amountCents = after.refundedCents - sale.refundedCents;
  const reduced = commission && reducedCommission(commission, after);
  // If other refunds or disputes already cover the amount, the refunded total does not change. The sale then stores the
  // report, but no step is added.
  if (amountCents === 0) return { sale: after, commission: reduced, steps };
  const step = {
    reason,
    createdAt,
    amountCents,
    refundedCents: after.refundedCents,
    ...shareOf(commission, reduced),
    ...countingOf(commission),
  };
  const logged = commission && reduced && withRefundRow(commission, reduced, reason, { actor: change.actor, at });
  return { sale: after, commission: logged, steps: [...steps, step] };
}

import type { Actor, AuditRow, Commission, RefundReason } from '#lib/domain/commission.ts';
import { proportionOf } from '#lib/domain/money.ts';
import type { Sale } from '#lib/domain/sale.ts';

export interface Refund {
  /** Total refunded so far; absent or 0 means the whole sale. */
  readonly totalCents?: number;
  readonly reason: RefundReason;
  readonly actor: Actor;
  readonly at: Date;
}

/** The refunded parts of a sale and of its commission after a refund. */
export interface RefundEffect {
  readonly sale: Pick<Sale, 'refundedCents' | 'refundReason'>;
  readonly commission?: Pick<
    Commission,
    | 'status'
    | 'deductedCents'
    | 'refundState'
    | 'reversalReason'
    | 'reversedAt'
    | 'needsReview'
    | 'platformFee'
    | 'history'
  >;
  /** What this step refunds beyond the former total. */
  readonly stepCents: number;
}

export type RefundOutcome =
  | { readonly status: 'noCommission'; readonly effect?: RefundEffect }
  | {
      readonly status: 'skipped';
      readonly reason: 'already reversed' | 'already refunded' | 'commission rejected';
      readonly effect?: RefundEffect;
    }
  | {
      readonly status: 'refunded' | 'reversed';
      readonly refundedCents: number;
      readonly deductionCents: number;
      readonly effect: RefundEffect;
    };

/** Specification 4 and contract 8: what a refund does to a sale and its commission. No effect = nothing is written. */
export function refundOutcome(sale: Sale, commission: Commission | undefined, refund: Refund): RefundOutcome {
  const totalCents = Math.min(refund.totalCents || sale.amountCents, sale.amountCents);
  const stepCents = totalCents - sale.refundedCents;
  const refunded = { refundedCents: totalCents, refundReason: refund.reason };
  const onSaleAlone = stepCents > 0 ? { sale: refunded, stepCents } : undefined;

  if (!commission) return { status: 'noCommission', effect: onSaleAlone };
  if (commission.status === 'reversed') return { status: 'skipped', reason: 'already reversed' };
  if (commission.status === 'rejected') {
    return { status: 'skipped', reason: 'commission rejected', effect: onSaleAlone };
  }
  if (stepCents <= 0) return { status: 'skipped', reason: 'already refunded' };

  const isFull = totalCents === sale.amountCents;
  const deductedCents = proportionOf(commission.amountCents, totalCents, sale.amountCents);
  const deductionCents = deductedCents - commission.deductedCents;
  const at = refund.at.toISOString();
  const status = isFull ? 'reversed' : commission.status;
  const row: AuditRow = {
    at,
    actor: refund.actor,
    action: isFull ? 'reversed' : 'deducted',
    from: commission.status,
    to: status,
    amountCents: deductionCents,
    reason: refund.reason,
  };
  return {
    status: isFull ? 'reversed' : 'refunded',
    refundedCents: totalCents,
    deductionCents,
    effect: {
      sale: refunded,
      stepCents,
      commission: {
        status,
        deductedCents,
        refundState: isFull ? 'full' : 'partial',
        reversalReason: isFull ? refund.reason : commission.reversalReason,
        reversedAt: isFull ? at : commission.reversedAt,
        needsReview: commission.needsReview || commission.status === 'paid' || undefined,
        platformFee: {
          ...commission.platformFee,
          reducedCents: proportionOf(commission.platformFee.amountCents, totalCents, sale.amountCents),
        },
        history: [...commission.history, row],
      },
    },
  };
}

/** What one refund takes of a commission and of its platform fee. */
export interface RefundShare {
  readonly deductionCents: number;
  readonly feeReductionCents: number;
}

/** A commission that is made after its sale was refunded: what the refunds would have taken of it is taken now. */
export function withRefunds(
  commission: Commission,
  sale: Sale,
  refunds: readonly Refund[],
): { readonly commission: Commission; readonly shares: readonly RefundShare[] } {
  const shares: RefundShare[] = [];
  let refunded = { sale: { ...sale, refundedCents: 0 }, commission };
  for (const refund of refunds) {
    const before = refunded.commission;
    const { effect } = refundOutcome(refunded.sale, before, refund);
    const after = { ...before, ...effect?.commission };
    shares.push({
      deductionCents: after.deductedCents - before.deductedCents,
      feeReductionCents: after.platformFee.reducedCents - before.platformFee.reducedCents,
    });
    refunded = { sale: { ...refunded.sale, ...effect?.sale }, commission: after };
  }
  return { commission: refunded.commission, shares };
}

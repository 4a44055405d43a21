import {
  type AuditRow,
  type CommissionStatus,
  isInReview,
  type RefundReason,
  type SaleCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import { changeAfter, type StatusChange, dueCents } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { proportionOf } from '#lib/service/ground/values/money.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';

/** The amounts by which one refund reduces a commission and its platform fee. A negative amount is given back. */
export interface RefundShare {
  readonly deductionCents: number;
  readonly feeReductionCents: number;
}

/** Decides when the counters include what a step deducts from the commission. */
export interface StepCounting {
  /**
   * Set if a rule held the commission for review when the step was made. The counters then include the step's deduction
   * only from the commission's release on.
   */
  readonly whileHeld?: true;
}

export const countingOf = (commission: SaleCommission | undefined): StepCounting => ({
  whileHeld: commission && isInReview(commission) ? true : undefined,
});

/** Why the refunded total of a sale changed. Only a won dispute and a correction lower it. */
export const stepReasons = [
  'refund',
  'chargeback',
  'dispute_won',
  'correction',
  'duplicate',
] as const satisfies readonly (RefundReason | 'dispute_won' | 'correction')[];

/** One change of a sale's refunded total: a refund or dispute, or its restoration. */
export interface RefundStep extends RefundShare, StepCounting {
  readonly reason: (typeof stepReasons)[number];
  /** When the step was made. This is later than the times of all earlier changes of the sale. */
  readonly createdAt: string;
  readonly amountCents: number;
  /** The refunded total after this step. */
  readonly refundedCents: number;
}

export const shareOf = (before: SaleCommission | undefined, after: SaleCommission | undefined): RefundShare => ({
  deductionCents: before && after ? after.deductedCents - before.deductedCents : 0,
  feeReductionCents: before && after ? after.platformFee.reducedCents - before.platformFee.reducedCents : 0,
});

/**
 * The commission after the sale's refunded total has changed. If the commission is rejected, only its platform fee is
 * reduced, if it has one.
 */
export function reducedCommission(
  commission: SaleCommission,
  { amountCents, refundedCents, refundReason }: Sale,
): SaleCommission {
  if (commission.status === 'rejected') return withReducedFee(commission, refundedCents, amountCents);
  const isFull = refundedCents === amountCents;
  return {
    ...withReducedFee(commission, refundedCents, amountCents),
    status: statusAfter(commission, isFull),
    deductedCents: proportionOf(commission.amountCents, refundedCents, amountCents),
    refundState: refundStateOf(refundedCents, isFull),
    reversalReason: isFull ? refundReason : undefined,
  };
}

/**
 * The commission after its platform fee was reduced by the refunded share of the sale. Returns the same object if
 * nothing changes.
 */
function withReducedFee(commission: SaleCommission, refundedCents: number, amountCents: number): SaleCommission {
  const { status, platformFee } = commission;
  const reducedCents = proportionOf(platformFee.amountCents, refundedCents, amountCents);
  const isCharged = status !== 'rejected' || !isInReview(commission);
  return isCharged && reducedCents !== platformFee.reducedCents
    ? { ...commission, platformFee: { ...platformFee, reducedCents } }
    : commission;
}

/** Adds a row about the step to the commission's history, but not to a rejected one whose fee stays the same. */
export function withRefundRow(
  before: SaleCommission,
  after: SaleCommission,
  reason: RefundStep['reason'],
  change: StatusChange,
): SaleCommission {
  if (before.status === 'rejected' && after === before) return after;
  const { actor, at } = changeAfter(before, change);
  const { deductionCents, feeReductionCents } = shareOf(before, after);
  const row: AuditRow = {
    at: at.toISOString(),
    actor,
    action: actionOf(before.status, after.status, deductionCents || feeReductionCents, reason),
    from: before.status,
    to: after.status,
    amountCents: deductionCents,
    reason,
  };
  const isReversed = after.status === 'reversed';
  return {
    ...after,
    reversedAt: isReversed ? row.at : undefined,
    needsReview: needsReview(before, after),
    history: withinBounds([...before.history, row]),
  };
}

/**
 * Maximum number of history rows. The limit keeps a commission's item far below the table's limit of 400 KB, even after
 * many refunds.
 */
const MOST_ROWS = 200;

const amountActions: ReadonlySet<AuditRow['action']> = new Set(['deducted', 'restored', 'corrected']);

/** Whether a row only changes an amount. */
const movesAmountOnly = ({ action, from, to }: AuditRow): boolean => from === to && amountActions.has(action);

/**
 * Whether one of two adjacent rows reverses the whole commission and the other one takes this back, in either order.
 * Together, they only change an amount.
 */
const evenOut = (first: AuditRow, second: AuditRow): boolean =>
  first.from === second.to && [first, second].every(({ action }) => action === 'reversed' || amountActions.has(action));

/** Whether the second row reopened the commission and so took back the decision in the first row. */
const isTakenBack = (first: AuditRow, second: AuditRow): boolean =>
  second.action === 'reopened' && first.from === second.to;

/**
 * Shortens a history that is too long. It merges the oldest two adjacent rows that only change amounts, or else the
 * oldest reversal and its correction. If there are none, it removes the oldest decision that was taken back, together
 * with its reopening.
 */
export function withinBounds(history: readonly AuditRow[]): readonly AuditRow[] {
  if (history.length <= MOST_ROWS) return history;
  const newest = history.length - 1;
  const firstPair = (fits: (first: AuditRow, second: AuditRow) => boolean) =>
    history.findIndex((row, index) => index + 1 < newest && fits(row, history[index + 1]!));
  const alone = firstPair((first, second) => movesAmountOnly(first) && movesAmountOnly(second));
  const at = alone < 0 ? firstPair(evenOut) : alone;
  if (at < 0) {
    const takenBack = firstPair(isTakenBack);
    return takenBack < 0 ? history : history.toSpliced(takenBack, 2);
  }
  const [first, second] = [history[at]!, history[at + 1]!];
  const amountCents = first.amountCents + second.amountCents;
  const summed: AuditRow = {
    ...second,
    action: amountCents < 0 ? 'restored' : 'deducted',
    amountCents,
    reason: first.reason === second.reason ? first.reason : null,
  };
  return history.toSpliced(at, 2, summed);
}

/**
 * The commission's status after a refund. A full refund reverses the commission; if the refunded total then becomes
 * lower, the former status is restored.
 */
function statusAfter({ status, history, paidAt }: SaleCommission, isFull: boolean): CommissionStatus {
  if (isFull) return 'reversed';
  if (status !== 'reversed') return status;
  const former = history.findLast(({ action }) => action === 'reversed')?.from ?? 'pending';
  // Whether the payout line that had paid the commission has failed or become void. It is then no longer paid.
  const isUnpaid = paidAt === undefined && history.some(({ action }) => action === 'unpaid');
  return former === 'paid' && isUnpaid ? 'approved' : former;
}

function actionOf(
  from: CommissionStatus,
  to: CommissionStatus,
  takenCents: number,
  reason: RefundStep['reason'],
): AuditRow['action'] {
  if (to === 'reversed') return 'reversed';
  if (reason === 'correction') return 'corrected';
  return from === 'reversed' || takenCents < 0 ? 'restored' : 'deducted';
}

const refundStateOf = (refundedCents: number, isFull: boolean): SaleCommission['refundState'] => {
  if (isFull) return 'full';
  return refundedCents > 0 ? 'partial' : 'none';
};

/**
 * Whether the commission needs a person's review: it does if it was reduced after it was paid, and no longer does once
 * the deduction was restored and nothing is owed.
 */
function needsReview(before: SaleCommission, after: SaleCommission): true | undefined {
  if (after.deductedCents < before.deductedCents && dueCents(after) === 0) return undefined;
  return before.needsReview || before.status === 'paid' || undefined;
}

/** The fields of a stored refund step that are needed to deduct it from a commission created later. */
export type StoredStep = Pick<RefundStep, 'reason' | 'amountCents' | 'refundedCents' | 'whileHeld'>;

/**
 * Deducts the earlier refunds of a sale from a commission that is created after them.
 * @param steps in any order
 * @returns the shares in the order of the steps
 */
export function withRefunds(
  commission: SaleCommission,
  sale: Sale,
  steps: readonly StoredStep[],
  change: StatusChange,
): { readonly commission: SaleCommission; readonly shares: readonly RefundShare[] } {
  const shares = new Map<StoredStep, RefundShare>();
  const late = inOrder(steps).reduce((before, step) => {
    const reduced = reducedCommission(before, { ...sale, refundedCents: step.refundedCents });
    shares.set(step, shareOf(before, reduced));
    return withRefundRow(before, reduced, step.reason, change);
  }, commission);
  return { commission: reducedCommission(late, sale), shares: steps.map((step) => shares.get(step)!) };
}

/**
 * Sorts refund steps by time. Steps of the same millisecond are chained: each starts at the total that the previous one
 * left.
 */
function inOrder(steps: readonly StoredStep[]): StoredStep[] {
  const left = [...steps];
  const ordered: StoredStep[] = [];
  while (left.length > 0) {
    const total = ordered.at(-1)?.refundedCents ?? 0;
    const next = left.findIndex(({ refundedCents, amountCents }) => refundedCents - amountCents === total);
    ordered.push(...left.splice(Math.max(next, 0), 1));
  }
  return ordered;
}

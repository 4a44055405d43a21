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

/** What one refund deducts from a commission and its platform fee; negative when it restores. */
export interface RefundShare {
  readonly deductionCents: number;
  readonly feeReductionCents: number;
}

/** Whether the counters take a step's share of the commission. */
export interface StepCounting {
  /** The commission was held then: the share counts with it, once it is released. */
  readonly whileHeld?: true;
}

export const countingOf = (commission: SaleCommission | undefined): StepCounting => ({
  whileHeld: commission && isInReview(commission) ? true : undefined,
});

/** Why the total refunded of a sale changed. Only a won dispute and a correction make it lower. */
export const stepReasons = [
  'refund',
  'chargeback',
  'dispute_won',
  'correction',
  'duplicate',
] as const satisfies readonly (RefundReason | 'dispute_won' | 'correction')[];

/** One reduction of a sale, or its restoration. */
export interface RefundStep extends RefundShare, StepCounting {
  readonly reason: (typeof stepReasons)[number];
  /** After all that the sale had been through. */
  readonly createdAt: string;
  readonly amountCents: number;
  /** Total after this step. */
  readonly refundedCents: number;
}

export const shareOf = (before: SaleCommission | undefined, after: SaleCommission | undefined): RefundShare => ({
  deductionCents: before && after ? after.deductedCents - before.deductedCents : 0,
  feeReductionCents: before && after ? after.platformFee.reducedCents - before.platformFee.reducedCents : 0,
});

/** The commission after the sale was refunded to this total. Of a rejected one only the fee falls, if one is charged. */
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

/** The same object where nothing changes. */
function withReducedFee(commission: SaleCommission, refundedCents: number, amountCents: number): SaleCommission {
  const { status, platformFee } = commission;
  const reducedCents = proportionOf(platformFee.amountCents, refundedCents, amountCents);
  const isCharged = status !== 'rejected' || !isInReview(commission);
  return isCharged && reducedCents !== platformFee.reducedCents
    ? { ...commission, platformFee: { ...platformFee, reducedCents } }
    : commission;
}

/** The reduced commission with the step in its history; of a rejected one whose fee stays there is none. */
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

/** The item of a commission has to stay far below the 400 KB that the table takes, however often its sale is refunded. */
const MOST_ROWS = 200;

const amountActions: ReadonlySet<AuditRow['action']> = new Set(['deducted', 'restored', 'corrected']);

/** A row that moves an amount and nothing else. */
const movesAmountOnly = ({ action, from, to }: AuditRow): boolean => from === to && amountActions.has(action);

/** A reversal and its correction, or the reverse: together they move an amount and nothing else. */
const evenOut = (first: AuditRow, second: AuditRow): boolean =>
  first.from === second.to && [first, second].every(({ action }) => action === 'reversed' || amountActions.has(action));

/**
 * One row too many: the oldest two that follow each other and move amounts alone become one, with the sum of both; where
 * there are none, the oldest two that even out.
 */
function withinBounds(history: readonly AuditRow[]): readonly AuditRow[] {
  if (history.length <= MOST_ROWS) return history;
  const newest = history.length - 1;
  const firstPair = (fits: (first: AuditRow, second: AuditRow) => boolean) =>
    history.findIndex((row, index) => index + 1 < newest && fits(row, history[index + 1]!));
  const alone = firstPair((first, second) => movesAmountOnly(first) && movesAmountOnly(second));
  const at = alone < 0 ? firstPair(evenOut) : alone;
  if (at < 0) return history;
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

/** A full refund reverses; a reversed commission returns to what it was when the total becomes lower. */
function statusAfter({ status, history }: SaleCommission, isFull: boolean): CommissionStatus {
  if (isFull) return 'reversed';
  if (status !== 'reversed') return status;
  return history.findLast(({ action }) => action === 'reversed')?.from ?? 'pending';
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

/** Set when it is reduced after payment; cleared when the deduction is restored and nothing is due. */
function needsReview(before: SaleCommission, after: SaleCommission): true | undefined {
  if (after.deductedCents < before.deductedCents && dueCents(after) === 0) return undefined;
  return before.needsReview || before.status === 'paid' || undefined;
}

/** The part of a stored refund step that a later created commission needs. */
export type StoredStep = Pick<RefundStep, 'reason' | 'amountCents' | 'refundedCents' | 'whileHeld'>;

/**
 * A commission that is created after refunds of its sale: their deductions are applied now, one after the other. @param
 * steps in any order @returns the shares in the order of the steps
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

/** Steps of the same millisecond are ordered by their totals: each begins where the one before ended. */
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

import {
  type AuditRow,
  type Commission,
  type CommissionStatus,
  commissionStatuses,
  isInReview,
  lateDeductionOf,
} from '#lib/service/earnings/commissions/commission.ts';
import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { timeAfter } from '#lib/service/ground/changes/versions.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import { commissionStatusRefused } from '#lib/service/ground/values/refusals.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/**
 * Each commission status with the stored statuses that may change to it. The conditions of writes are derived from it.
 *
 *     held ──release──→ pending ──approval──→ approved ──payout──→ paid
 *     pending ──payout──→ paid             if its hold period is over and the program approves automatically;
 *                                          it is then shown as `approved`
 *     held, pending ──rejection──→ rejected
 *     approved, rejected ──reopening──→ pending, or held if a rule held it and no person has released it
 *     held, pending, approved, paid ──full refund──→ reversed
 */
export const commissionMayBecome = {
  pending: ['held', 'approved', 'rejected'],
  approved: ['pending'],
  rejected: ['held', 'pending'],
  paid: ['pending', 'approved'],
  reversed: ['held', 'pending', 'approved', 'paid'],
} as const satisfies Record<Exclude<CommissionStatus, 'held'>, readonly CommissionStatus[]>;

type ApprovalRule = Pick<Program, 'autoApprove'>;

/** Whether a pending commission is approved automatically when its hold period ends. */
export const isApprovedByItself = ({ byHand }: Pick<Commission, 'byHand'>, { autoApprove }: ApprovalRule): boolean =>
  autoApprove && !byHand;

/** The status at a given time. Automatic approval is computed on read: nothing is stored and no job runs. */
export const statusAt = (
  commission: Pick<Commission, 'status' | 'holdUntil' | 'byHand'>,
  program: ApprovalRule,
  now: Date,
): CommissionStatus => {
  const isOver = Date.parse(commission.holdUntil) <= now.getTime();
  return commission.status === 'pending' && isOver && isApprovedByItself(commission, program)
    ? 'approved'
    : commission.status;
};

/** The status shown to the partner. Partners do not see that a rule holds a commission for review. */
export const statusForPartner = (status: CommissionStatus) => (status === 'held' ? 'in_review' : status);

/** The stored status for a status that a partner's request names. */
export const statusFromPartner = (status: ReturnType<typeof statusForPartner>): CommissionStatus =>
  status === 'in_review' ? 'held' : status;

export const partnersCommissionStatuses = commissionStatuses.map(statusForPartner);

/** The commission with its status at a given time. */
export function asReadAt<Read extends Commission>(commission: Read, program: ApprovalRule, now: Date): Read {
  const status = statusAt(commission, program, now);
  if (status === commission.status) return commission;
  const { holdUntil, releasedAt = holdUntil } = commission;
  return { ...commission, status, approvedAt: releasedAt > holdUntil ? releasedAt : holdUntil };
}

/** The amount of a commission after deductions. */
export const payableCents = ({ amountCents, deductedCents }: Pick<Commission, 'amountCents' | 'deductedCents'>) =>
  amountCents - deductedCents;

/** The amount that payouts have paid for a commission so far. */
export const paidSoFarCents = ({ paidOutCents = 0 }: Pick<Commission, 'paidOutCents'>): number => paidOutCents;

const wasPaid = ({ paidAt }: Commission): boolean => paidAt !== undefined;

/**
 * Whether a commission must not be computed again: a payout has paid it, even if the payout line failed or became void
 * later, or a person has rejected it.
 */
export const isFinal = (commission: Commission): boolean =>
  commission.status === 'rejected' || wasPaid(commission) || paymentsOf(commission).length > 0;

/** What the next payout would pay for a commission. Negative if the commission was reduced after it was paid. */
export const dueCents = (commission: Commission): number =>
  commission.status === 'approved' || wasPaid(commission) ? payableCents(commission) - paidSoFarCents(commission) : 0;

/**
 * Whether the next payouts still have to consider the commission: to pay it, or to adjust it because its amount changed
 * after it was paid.
 */
export const isUnsettled = (commission: Commission): boolean =>
  commission.status === 'held' ||
  commission.status === 'pending' ||
  commission.status === 'approved' ||
  (wasPaid(commission) && (dueCents(commission) !== 0 || !!commission.needsReview));

/** The person or rule that changes a commission, and the time. */
export interface StatusChange {
  readonly actor: Actor;
  readonly at: Date;
}

/** The change, with its time moved to just after that of the last history row if it would not be later. */
export const changeAfter = ({ history }: Pick<Commission, 'history'>, { actor, at }: StatusChange): StatusChange => ({
  actor,
  at: timeAfter(at, history.at(-1)?.at),
});

/**
 * The commission after its approval.
 * @param commission with its status at the time of the change (see asReadAt)
 * @throws Refusal if the status does not allow it
 */
export function approved<Changed extends Commission>(commission: Changed, change: StatusChange): Changed {
  const { actor, at } = changeAfter(commission, change);
  return moved(commission, 'approved', { status: 'approved', approvedAt: at.toISOString() }, { actor, at });
}

/**
 * Releases a commission that a rule held for review. Its hold period still runs from its creation. Counters count the
 * commission from its release on, without what refunds had deducted by then, so these deductions are stored. What an
 * earlier reopening had deducted is counted on the same day as the commission.
 * @param commission with its status at the time of the change (see asReadAt)
 * @throws Refusal if the status does not allow it
 */
export function released<Changed extends Commission>(commission: Changed, change: StatusChange): Changed {
  const { deductedCents, platformFee } = commission;
  const { actor, at } = changeAfter(commission, change);
  const late = lateDeductionOf(commission);
  const isLate = late.deductionCents !== 0 || late.feeReductionCents !== 0;
  const release = {
    status: 'pending',
    releasedAt: at.toISOString(),
    heldDeductedCents: deductedCents - late.deductionCents || undefined,
    lateDeductions: isLate ? { [dayOf(new Date(commission.occurredAt))]: late } : undefined,
    platformFee: platformFee && {
      ...platformFee,
      heldReducedCents: platformFee.reducedCents - late.feeReductionCents || undefined,
    },
  } as const;
  return moved(commission, 'released', release, { actor, at });
}

/**
 * The commission after its rejection.
 * @param commission with its status at the time of the change (see asReadAt)
 * @throws Refusal if the status does not allow it
 */
export function rejected<Changed extends Commission>(
  commission: Changed,
  reason: string,
  change: StatusChange,
): Changed {
  const after = changeAfter(commission, change);
  return moved(commission, 'rejected', { status: 'rejected', rejectionReason: reason }, { ...after, reason });
}

/**
 * Takes back an approval or a rejection. From then on only a person approves the commission. A commission that was
 * rejected while a rule held it is held for review again.
 * @param commission with its status at the time of the change (see asReadAt)
 * @throws Refusal if the status does not allow it
 */
export function reopened<Changed extends Commission>(
  commission: Changed,
  reason: string,
  change: StatusChange,
): Changed {
  const status = isInReview(commission) ? 'held' : 'pending';
  const reopening = { status, byHand: true, approvedAt: undefined, rejectionReason: undefined } as const;
  return moved(commission, 'reopened', reopening, { ...changeAfter(commission, change), reason });
}

/** Each decision's result: the statuses from which it is possible, and the status that it usually leads to. */
const decisions = {
  released: { from: ['held'], to: 'pending' },
  approved: { from: commissionMayBecome.approved, to: 'approved' },
  rejected: { from: commissionMayBecome.rejected, to: 'rejected' },
  reopened: { from: ['approved', 'rejected'], to: 'pending' },
} as const satisfies Partial<
  Record<AuditRow['action'], { readonly from: readonly CommissionStatus[]; readonly to: CommissionStatus }>
>;

function moved<Changed extends Commission>(
  commission: Changed,
  action: keyof typeof decisions,
  change: Partial<Commission> & Pick<Commission, 'status'>,
  { actor, at, reason }: StatusChange & { readonly reason?: string },
): Changed {
  const { from, to } = decisions[action];
  if (!from.some((status) => status === commission.status)) throw commissionStatusRefused(to, commission.status);
  const step = { action, to: change.status, amountCents: payableCents(commission), reason };
  return { ...commission, ...change, history: [...commission.history, auditRow(commission, { actor, at }, step)] };
}

/**
 * Pays the due amount of a commission in a payout, or adjusts the payment if the commission was already paid and its
 * amount has changed since.
 * @param commission with its status at the time of the change (see asReadAt)
 * @param amountCents by default the due amount; a restore that records a payout again passes the amount that was paid
 */
export function paidOut<Paid extends Commission>(
  commission: Paid,
  payoutId: number,
  paying: StatusChange,
  amountCents: number = dueCents(commission),
): Paid {
  const change = changeAfter(commission, paying);
  const isFirst = commission.status === 'approved' && !wasPaid(commission);
  const status = commission.status === 'approved' ? 'paid' : commission.status;
  const row = auditRow(commission, change, {
    action: isFirst ? 'paid' : 'adjusted',
    to: status,
    amountCents,
    reason: payoutReason(payoutId),
  });
  return {
    ...commission,
    status,
    paidAt: commission.paidAt ?? change.at.toISOString(),
    payoutId: commission.payoutId ?? payoutId,
    paidOutCents: paidSoFarCents(commission) + amountCents,
    needsReview: undefined,
    history: [...commission.history, row],
  };
}

export const payoutReason = (payoutId: number): string => `payout ${payoutId}`;

const PAYOUT_IN_REASON = /^payout (\d+)/;

export const payoutIn = ({ reason }: AuditRow): number => Number(PAYOUT_IN_REASON.exec(reason ?? '')?.[1]);

/** One payment for a commission, made by one step of a payout. The amount is negative if the payout took money back. */
export interface Payment {
  readonly payoutId: number;
  readonly amountCents: number;
  /** The time of the payment, ISO 8601. */
  readonly at: string;
}

/** The payments for a commission, oldest first. */
export const paymentsOf = ({ history }: Pick<Commission, 'history'>): Payment[] =>
  history
    .filter(({ action }) => action === 'paid' || action === 'adjusted')
    .map((row) => ({ payoutId: payoutIn(row), amountCents: row.amountCents, at: row.at }));

/** The amount that one payout paid for a commission. Negative if it took money back. */
export const paidInPayoutCents = (commission: Pick<Commission, 'history'>, payoutId: number): number =>
  sumOf(paymentsOf(commission).flatMap((payment) => (payment.payoutId === payoutId ? payment.amountCents : [])));

export const auditRow = (
  { status: from }: Commission,
  { actor, at }: StatusChange,
  { reason = null, ...step }: Pick<AuditRow, 'action' | 'to' | 'amountCents'> & { readonly reason?: string | null },
): AuditRow => ({ at: at.toISOString(), actor, from, ...step, reason });

import {
  type AuditRow,
  type Commission,
  type CommissionStatus,
  commissionStatuses,
} from '#lib/service/earnings/commissions/commission.ts';
import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { timeAfter } from '#lib/service/ground/changes/versions.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import { commissionStatusRefused } from '#lib/service/ground/values/refusals.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/**
 * A commission status and the stored ones it may be reached from. The write conditions are derived from it.
 *
 *     held ──release──→ pending
 *     pending ──approval──→ approved ──payout──→ paid
 *       │  └── hold over, the program approves by itself: reads `approved`, and is paid from here ──↑
 *       ├── and held ──rejection──→ rejected
 *       └── and held, approved, paid ──full refund──→ reversed
 */
export const commissionMayBecome = {
  pending: ['held'],
  approved: ['pending'],
  rejected: ['held', 'pending'],
  paid: ['pending', 'approved'],
  reversed: ['held', 'pending', 'approved', 'paid'],
} as const satisfies Record<Exclude<CommissionStatus, 'held'>, readonly CommissionStatus[]>;

type ApprovalRule = Pick<Program, 'autoApprove'>;

/** The status as it reads at a moment. Automatic approval is computed: nothing is stored and no job runs. */
export const statusAt = (
  { status, holdUntil }: Pick<Commission, 'status' | 'holdUntil'>,
  { autoApprove }: ApprovalRule,
  now: Date,
): CommissionStatus =>
  status === 'pending' && autoApprove && Date.parse(holdUntil) <= now.getTime() ? 'approved' : status;

/** As its partner reads it, who does not learn of rules. */
export const statusForPartner = (status: CommissionStatus) => (status === 'held' ? 'in_review' : status);

/** The stored one that its partner reads so. */
export const statusFromPartner = (status: ReturnType<typeof statusForPartner>): CommissionStatus =>
  status === 'in_review' ? 'held' : status;

export const partnersCommissionStatuses = commissionStatuses.map(statusForPartner);

/** The commission as it reads at a moment. */
export function asReadAt<Read extends Commission>(commission: Read, program: ApprovalRule, now: Date): Read {
  const status = statusAt(commission, program, now);
  if (status === commission.status) return commission;
  const { holdUntil, releasedAt = holdUntil } = commission;
  return { ...commission, status, approvedAt: releasedAt > holdUntil ? releasedAt : holdUntil };
}

/** What a commission is worth after its deductions. */
export const payableCents = ({ amountCents, deductedCents }: Pick<Commission, 'amountCents' | 'deductedCents'>) =>
  amountCents - deductedCents;

/** What payouts have paid for a commission so far. */
export const paidSoFarCents = ({ paidOutCents = 0 }: Pick<Commission, 'paidOutCents'>): number => paidOutCents;

const wasPaid = ({ paidAt }: Commission): boolean => paidAt !== undefined;

/** Whether what a commission was computed from may no longer change: it was paid, or a person rejected it. */
export const isFinal = (commission: Commission): boolean => commission.status === 'rejected' || wasPaid(commission);

/** What a payout owes for a commission; negative for one that was reduced after it was paid. */
export const dueCents = (commission: Commission): number =>
  commission.status === 'approved' || wasPaid(commission) ? payableCents(commission) - paidSoFarCents(commission) : 0;

/** Whether a commission waits for a payout, to be paid or to be adjusted after changes since it was paid, or may later. */
export const isUnsettled = (commission: Commission): boolean =>
  commission.status === 'held' ||
  commission.status === 'pending' ||
  commission.status === 'approved' ||
  (wasPaid(commission) && (dueCents(commission) !== 0 || !!commission.needsReview));

/** Who changes a commission, and when. */
export interface StatusChange {
  readonly actor: Actor;
  readonly at: Date;
}

/** The same change, after all that the commission has been through. */
export const changeAfter = ({ history }: Pick<Commission, 'history'>, { actor, at }: StatusChange): StatusChange => ({
  actor,
  at: timeAfter(at, history.at(-1)?.at),
});

/** @param commission as it reads @throws Refusal */
export function approved<Changed extends Commission>(commission: Changed, change: StatusChange): Changed {
  const { actor, at } = changeAfter(commission, change);
  return moved(commission, 'approved', { approvedAt: at.toISOString() }, { actor, at });
}

/**
 * The hold goes on from the commission's creation. What refunds have deducted so far counts with it, as it is released.
 * @param commission as it reads @throws Refusal
 */
export function released<Changed extends Commission>(commission: Changed, change: StatusChange): Changed {
  const { deductedCents, platformFee } = commission;
  const { actor, at } = changeAfter(commission, change);
  const release = {
    releasedAt: at.toISOString(),
    heldDeductedCents: deductedCents || undefined,
    platformFee: platformFee && { ...platformFee, heldReducedCents: platformFee.reducedCents || undefined },
  };
  return moved(commission, 'pending', release, { actor, at });
}

/** @param commission as it reads @throws Refusal */
export function rejected<Changed extends Commission>(
  commission: Changed,
  reason: string,
  change: StatusChange,
): Changed {
  const after = changeAfter(commission, change);
  return moved(commission, 'rejected', { rejectionReason: reason }, { ...after, reason });
}

function moved<Changed extends Commission>(
  commission: Changed,
  to: 'pending' | 'approved' | 'rejected',
  change: Partial<Commission>,
  { actor, at, reason }: StatusChange & { readonly reason?: string },
): Changed {
  if (!commissionMayBecome[to].some((from) => from === commission.status)) {
    throw commissionStatusRefused(to, commission.status);
  }
  const action = to === 'pending' ? 'released' : to;
  const row = auditRow(commission, { actor, at }, { action, to, amountCents: payableCents(commission), reason });
  return { ...commission, ...change, status: to, history: [...commission.history, row] };
}

/**
 * A commission whose due amount a payout takes: paid, or adjusted when it was paid before.
 * @param commission as it reads
 */
export function paidOut<Paid extends Commission>(commission: Paid, payoutId: number, paying: StatusChange): Paid {
  const change = changeAfter(commission, paying);
  const isFirst = commission.status === 'approved' && !wasPaid(commission);
  const status = commission.status === 'approved' ? 'paid' : commission.status;
  const row = auditRow(commission, change, {
    action: isFirst ? 'paid' : 'adjusted',
    to: status,
    amountCents: dueCents(commission),
    reason: payoutReason(payoutId),
  });
  return {
    ...commission,
    status,
    paidAt: commission.paidAt ?? change.at.toISOString(),
    payoutId: commission.payoutId ?? payoutId,
    paidOutCents: payableCents(commission),
    needsReview: undefined,
    history: [...commission.history, row],
  };
}

const payoutReason = (payoutId: number): string => `payout ${payoutId}`;

/** What one payout paid for a commission; negative where it took back. */
export const paidInPayoutCents = ({ history }: Pick<Commission, 'history'>, payoutId: number): number =>
  sumOf(history.filter(({ reason }) => reason === payoutReason(payoutId)).map(({ amountCents }) => amountCents));

const auditRow = (
  { status: from }: Commission,
  { actor, at }: StatusChange,
  { reason = null, ...step }: Pick<AuditRow, 'action' | 'to' | 'amountCents'> & { readonly reason?: string | null },
): AuditRow => ({ at: at.toISOString(), actor, from, ...step, reason });

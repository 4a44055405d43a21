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
 * Each commission status with the stored statuses that may change to it. The write conditions are derived from it.
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

/** The status at a given time. Automatic approval is computed on read: nothing is stored and no job runs. */
export const statusAt = (
  { status, holdUntil }: Pick<Commission, 'status' | 'holdUntil'>,
  { autoApprove }: ApprovalRule,
  now: Date,
): CommissionStatus =>
  status === 'pending' && autoApprove && Date.parse(holdUntil) <= now.getTime() ? 'approved' : status;

/** The status shown to the partner, from whom holds by rules are hidden. */
export const statusForPartner = (status: CommissionStatus) => (status === 'held' ? 'in_review' : status);

/** The stored status for a status that is shown to the partner. */
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
 * Whether the inputs of a commission can no longer change: it was ever paid, even if that payout line has ended, or a
 * person rejected it.
 */
export const isFinal = (commission: Commission): boolean =>
  commission.status === 'rejected' || wasPaid(commission) || paymentsOf(commission).length > 0;

/** The amount that the next payout owes for a commission. Negative if the commission was reduced after it was paid. */
export const dueCents = (commission: Commission): number =>
  commission.status === 'approved' || wasPaid(commission) ? payableCents(commission) - paidSoFarCents(commission) : 0;

/** Whether the commission may become part of a payout now or later, to be paid or to be adjusted after it was paid. */
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

/** The change with its time moved to just after the last history row, if necessary. */
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
  return moved(commission, 'approved', { approvedAt: at.toISOString() }, { actor, at });
}

/**
 * Releases a held commission. The hold period still runs from its creation. Deductions made while it was held are
 * stored, because only the remaining amount is counted on release.
 * @param commission with its status at the time of the change (see asReadAt)
 * @throws Refusal if the status does not allow it
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
 * Pays the due amount of a commission in a payout, or adjusts it if it was paid before.
 * @param commission with its status at the time of the change (see asReadAt)
 * @param amountCents default: the due amount; another amount only for a payout that is recorded again
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

const payoutReason = (payoutId: number): string => `payout ${payoutId}`;

const PAYOUT_IN_REASON = /^payout (\d+)/;

const payoutIn = ({ reason }: AuditRow): number => Number(PAYOUT_IN_REASON.exec(reason ?? '')?.[1]);

/** One payment for a commission, by a step of a payout. The amount is negative if money was taken back. */
interface Payment {
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
export const paidInPayoutCents = ({ history }: Pick<Commission, 'history'>, payoutId: number): number =>
  sumOf(history.filter(({ reason }) => reason === payoutReason(payoutId)).map(({ amountCents }) => amountCents));

/** That the ended line of a payout has given back what it held. */
export interface Return extends Pick<AuditRow, 'at' | 'actor'> {
  readonly payoutId: number;
  /** Why the line ended. */
  readonly reason: string;
}

/** What payouts have given back of a commission, oldest first. */
export const returnsOf = ({ history }: Pick<Commission, 'history'>): Return[] =>
  history
    .filter(({ action }) => action === 'unpaid')
    .map((row) => {
      const payoutId = payoutIn(row);
      return { payoutId, at: row.at, actor: row.actor, reason: row.reason!.slice(endReason(payoutId, '').length) };
    });

/** Whether the payout's line has ended and given back what it held of the commission. */
export const isReturned = (commission: Pick<Commission, 'history'>, payoutId: number): boolean =>
  returnsOf(commission).some((one) => one.payoutId === payoutId);

const endReason = (payoutId: number, reason: string): string => `${payoutReason(payoutId)}: ${reason}`;

/** The first payment of the oldest payout whose standing line holds any of the commission. */
function oldestStanding(commission: Commission): Payment | undefined {
  const payouts = Map.groupBy(paymentsOf(commission), ({ payoutId }) => payoutId);
  return [...payouts.values()].find(
    ([first, ...others]) =>
      !isReturned(commission, first!.payoutId) &&
      sumOf([first!, ...others].map(({ amountCents }) => amountCents)) !== 0,
  )?.[0];
}

/**
 * Gives back what the line of a payout holds of a commission, or has taken back, when the line becomes void or failed.
 * A paid commission of which no standing line holds anything is approved again, and so due to the next payout.
 * @param reason why the line ended
 */
export function unpaid<Returned extends Commission>(
  commission: Returned,
  payoutId: number,
  reason: string,
  returning: StatusChange,
): Returned {
  const amountCents = paidInPayoutCents(commission, payoutId);
  const change = changeAfter(commission, returning);
  const draft = { action: 'unpaid', to: commission.status, amountCents: 0 - amountCents } as const;
  const text = endReason(payoutId, reason);
  const withRow = (to: CommissionStatus): Returned => ({
    ...commission,
    status: to,
    paidOutCents: paidSoFarCents(commission) - amountCents,
    history: [...commission.history, auditRow(commission, change, { ...draft, to, reason: text })],
  });
  const oldest = oldestStanding(withRow(commission.status));
  const isUnheld = commission.status === 'paid' && oldest === undefined;
  const after = withRow(isUnheld ? 'approved' : commission.status);
  const { needsReview } = commission;
  return { ...after, paidAt: oldest?.at, payoutId: oldest?.payoutId, needsReview: isUnheld ? undefined : needsReview };
}

const auditRow = (
  { status: from }: Commission,
  { actor, at }: StatusChange,
  { reason = null, ...step }: Pick<AuditRow, 'action' | 'to' | 'amountCents'> & { readonly reason?: string | null },
): AuditRow => ({ at: at.toISOString(), actor, from, ...step, reason });

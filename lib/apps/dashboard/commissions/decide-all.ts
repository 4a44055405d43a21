import { moneyText } from '#lib/apps/web/format.ts';
import type { Commission, CommissionStatus, DecidedCommission } from '#lib/wire/earnings/commission.ts';

export type Decision = 'approve' | 'reject' | 'release' | 'reopen';

/** The decisions that are possible about a commission with each status. */
export const decisions = {
  pending: ['approve', 'reject'],
  held: ['release', 'reject'],
  approved: ['reopen'],
  rejected: ['reopen'],
} as const satisfies Partial<Record<CommissionStatus, readonly Decision[]>>;

export type DecidableStatus = keyof typeof decisions;

export const isDecidable = (status: string): status is DecidableStatus => status in decisions;

/** Whether an owner must give a reason for a decision. */
export const needsReason = (decision: Decision): boolean => decision === 'reject' || decision === 'reopen';

export const verbs = { approve: 'Approve', reject: 'Reject', release: 'Release', reopen: 'Reopen' } as const;

/** What a decision does to commissions, in a word. */
export const outcomes = {
  approve: 'approved',
  reject: 'rejected',
  release: 'released',
  reopen: 'reopened',
} as const satisfies Record<Decision, string>;

interface Change {
  readonly from: readonly CommissionStatus[];
  readonly to: readonly CommissionStatus[];
}

/**
 * The statuses before and after each decision. A release gives `approved` if the hold period is over. Reopening gives
 * `held` to a commission that was rejected while a rule held it for review.
 */
const changes: Readonly<Record<Decision, Change>> = {
  approve: { from: ['pending'], to: ['approved'] },
  reject: { from: ['pending', 'held'], to: ['rejected'] },
  release: { from: ['held'], to: ['pending', 'approved'] },
  reopen: { from: ['approved', 'rejected'], to: ['pending', 'held'] },
};

/** Whether the commission already has a status that the decision gives. */
export const isDecided = (decision: Decision, { status }: DecidedCommission): boolean =>
  status !== null && changes[decision].to.includes(status);

/** Whether the decision is possible for a commission with this status. */
export const mayBeDecided = (decision: Decision, { status }: DecidedCommission): boolean =>
  status === null || changes[decision].from.includes(status);

/** Formats the sum in each currency: `$1,293.60 and €40.00`. */
export function totalText(commissions: readonly Pick<Commission, 'payable_cents' | 'currency'>[]): string {
  const totals = new Map<string, number>();
  for (const { payable_cents: cents, currency } of commissions) {
    totals.set(currency, (totals.get(currency) ?? 0) + cents);
  }
  return [...totals].map(([currency, cents]) => moneyText(cents, currency)).join(' and ') || 'nothing';
}

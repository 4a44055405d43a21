import { moneyText } from '#lib/apps/web/format.ts';
import type { Commission, CommissionStatus, DecidedCommission } from '#lib/wire/earnings/commission.ts';

export type Decision = 'approve' | 'reject' | 'release';

/** Statuses in which commissions can be decided: waiting for the end of a hold or an approval, or held by a rule. */
export type OpenStatus = 'pending' | 'held';

export const verbs = { approve: 'Approve', reject: 'Reject', release: 'Release' } as const;

/** Decisions on commissions. */
export const outcomes = {
  approve: 'approved',
  reject: 'rejected',
  release: 'released',
} as const satisfies Record<Decision, string>;

interface Change {
  readonly from: readonly CommissionStatus[];
  readonly to: readonly CommissionStatus[];
}

/** The status after each decision: a released commission whose hold has ended may be approved at once. */
const changes: Readonly<Record<Decision, Change>> = {
  approve: { from: ['pending'], to: ['approved'] },
  reject: { from: ['pending', 'held'], to: ['rejected'] },
  release: { from: ['held'], to: ['pending', 'approved'] },
};

/** Whether the commission has the status that the decision gives. */
export const isDecided = (decision: Decision, { status }: DecidedCommission): boolean =>
  status !== null && changes[decision].to.includes(status);

/** Whether the decision may still be taken. */
export const mayBeDecided = (decision: Decision, { status }: DecidedCommission): boolean =>
  status === null || changes[decision].from.includes(status);

/** The total per currency: `$1,293.60 and €40.00`. */
export function totalText(commissions: readonly Pick<Commission, 'payable_cents' | 'currency'>[]): string {
  const totals = new Map<string, number>();
  for (const { payable_cents: cents, currency } of commissions) {
    totals.set(currency, (totals.get(currency) ?? 0) + cents);
  }
  return [...totals].map(([currency, cents]) => moneyText(cents, currency)).join(' and ') || 'nothing';
}

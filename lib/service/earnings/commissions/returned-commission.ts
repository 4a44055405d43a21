import type { AuditRow, Commission, CommissionStatus } from '#lib/service/earnings/commissions/commission.ts';
import {
  auditRow,
  changeAfter,
  paidInPayoutCents,
  paidSoFarCents,
  type Payment,
  paymentsOf,
  payoutIn,
  payoutReason,
  type StatusChange,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';

/** Records that a payout line failed or became void, and that what it had paid for the commission is due again. */
export interface Return extends Pick<AuditRow, 'at' | 'actor'> {
  readonly payoutId: number;
  /** Why the line failed or became void. */
  readonly reason: string;
}

/** The payments for a commission that were cancelled because their payout lines failed or became void, oldest first. */
export const returnsOf = ({ history }: Pick<Commission, 'history'>): Return[] =>
  history
    .filter(({ action }) => action === 'unpaid')
    .map((row) => {
      const payoutId = payoutIn(row);
      return { payoutId, at: row.at, actor: row.actor, reason: row.reason!.slice(endReason(payoutId, '').length) };
    });

/** Whether the payout's line failed or became void, and its payment for the commission was cancelled. */
export const isReturned = (commission: Pick<Commission, 'history'>, payoutId: number): boolean =>
  returnsOf(commission).some((one) => one.payoutId === payoutId);

const endReason = (payoutId: number, reason: string): string => `${payoutReason(payoutId)}: ${reason}`;

/** The first payment of the oldest payout that still counts, as its line has not failed or become void. */
function oldestStanding(commission: Commission): Payment | undefined {
  const payouts = Map.groupBy(paymentsOf(commission), ({ payoutId }) => payoutId);
  return [...payouts.values()].find(
    ([first, ...others]) =>
      !isReturned(commission, first!.payoutId) &&
      sumOf([first!, ...others].map(({ amountCents }) => amountCents)) !== 0,
  )?.[0];
}

/**
 * Cancels what a payout line paid for a commission, or took back, when the line fails or becomes void. If no other line
 * has paid for the commission, it becomes approved again, so that the next payout pays it.
 * @param reason why the line failed or became void
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

import type { PortalBalances } from '#lib/wire/reports/portal-figures.ts';

/** What the next payout would pay after deductions, such as refunds of commissions that were already paid. */
export interface NextPayout {
  /** Amount that a payout would pay now. */
  readonly ready_cents: number;
  /** Amount that a payout would pay if the partner's payouts were not on hold. */
  readonly held_back_cents: number;
  /** The part of approved commissions that is deducted. */
  readonly taken_now_cents: number;
  /** What remains of the deductions. It will be deducted from later commissions. */
  readonly taken_later_cents: number;
}

type Balance = Pick<PortalBalances[string], 'approved_cents' | 'restored_cents' | 'held_cents' | 'withheld_cents'>;

/** Subtracts the deductions of a balance from its amounts. If a partner is on hold, all approved amounts are. */
export function nextPayoutOf({
  approved_cents: approved,
  restored_cents: restored,
  held_cents: held,
  withheld_cents: owed,
}: Balance): NextPayout {
  const due = approved + restored;
  const takenNow = Math.min(owed, due + held);
  return {
    ready_cents: Math.max(0, due - owed),
    held_back_cents: Math.max(0, held - owed),
    taken_now_cents: takenNow,
    taken_later_cents: owed - takenNow,
  };
}

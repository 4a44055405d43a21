import type { PortalBalances } from '#lib/wire/reports/portal-figures.ts';

/** A balance after subtracting the amounts that refunds of paid commissions still take back. */
export interface NextPayout {
  /** Amount that a payout would pay now. */
  readonly ready_cents: number;
  /** Amount that a payout would pay if the partner's payouts were not held. */
  readonly held_back_cents: number;
  /** The part of approved commissions that refunds take back. */
  readonly taken_now_cents: number;
  /** The part that refunds will take back from later commissions. */
  readonly taken_later_cents: number;
}

type Balance = Pick<PortalBalances[string], 'approved_cents' | 'restored_cents' | 'held_cents' | 'withheld_cents'>;

/** Subtracts the deductions from the amounts of a balance. Holds affect all approved amounts or none. */
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

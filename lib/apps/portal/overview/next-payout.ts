import type { PortalBalances } from '#lib/wire/reports/portal-figures.ts';

/** A balance, with what refunds of paid commissions still take back already taken off. */
export interface NextPayout {
  /** What a payout would pay now. */
  readonly ready_cents: number;
  /** What it would pay, were the partner not held back. */
  readonly held_back_cents: number;
  /** What the refunds take back of what is approved. */
  readonly taken_now_cents: number;
  /** What they take back of later commissions. */
  readonly taken_later_cents: number;
}

type Balance = Pick<PortalBalances[string], 'approved_cents' | 'held_cents' | 'withheld_cents'>;

/** Either all that is approved is held back, or none of it. */
export function nextPayoutOf({
  approved_cents: approved,
  held_cents: held,
  withheld_cents: owed,
}: Balance): NextPayout {
  const takenNow = Math.min(owed, approved + held);
  return {
    ready_cents: Math.max(0, approved - owed),
    held_back_cents: Math.max(0, held - owed),
    taken_now_cents: takenNow,
    taken_later_cents: owed - takenNow,
  };
}

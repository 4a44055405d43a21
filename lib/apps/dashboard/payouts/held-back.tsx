import { moneysText } from '#lib/apps/web/format.ts';
import { owedAmounts } from '#lib/apps/dashboard/payouts/owed-days.ts';
import type { Owed } from '#lib/wire/payout.ts';

/** What is approved, but in no payout of this moment. */
export function HeldBack({ owed }: { readonly owed: Owed }) {
  const amounts = owedAmounts(owed, 'held_cents');
  if (Object.keys(amounts).length === 0) return null;
  return (
    <p class="hint">
      {moneysText(amounts)} is held back because partners have changed their payout details. It can be paid 24 hours
      after the change.
    </p>
  );
}

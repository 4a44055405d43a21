import { moneysText } from '#lib/apps/web/format.ts';
import { owedAmounts } from '#lib/apps/dashboard/payouts/due/owed-days.ts';
import type { Owed } from '#lib/wire/earnings/payout.ts';

interface WithheldProps {
  readonly owed: Owed;
  /** True inside a card that contains a table. */
  readonly isTableNote?: boolean;
}

/** Amounts that payouts must still withhold, because they were paid for sales that have since been refunded. */
export function Withheld({ owed, isTableNote = false }: WithheldProps) {
  const balances = Object.entries(owedAmounts(owed, 'balance_cents'));
  if (balances.length === 0) return null;
  const amounts = Object.fromEntries(balances.map(([currency, cents]) => [currency, -cents]));
  return (
    <p class={`hint withheld ${isTableNote ? 'table-note' : ''}`}>
      Earlier payouts hold {moneysText(amounts)} for sales that were refunded since. Later payouts withhold it.
    </p>
  );
}

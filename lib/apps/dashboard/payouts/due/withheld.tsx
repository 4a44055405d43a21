import { moneysText } from '#lib/apps/web/format.ts';
import { owedAmounts } from '#lib/apps/dashboard/payouts/due/owed-days.ts';
import type { Owed } from '#lib/wire/earnings/payout.ts';

interface WithheldProps {
  readonly owed: Owed;
  /** True if the text is part of a card that contains a table. */
  readonly isTableNote?: boolean;
}

/** Says how much will be deducted, because sales were refunded after they were paid out or an owner deducts amounts. */
export function Withheld({ owed, isTableNote = false }: WithheldProps) {
  const balances = Object.entries(owedAmounts(owed, 'balance_cents'));
  if (balances.length === 0) return null;
  const amounts = Object.fromEntries(balances.map(([currency, cents]) => [currency, -cents]));
  return (
    <p class={`hint withheld ${isTableNote ? 'table-note' : ''}`}>
      Later payouts withhold {moneysText(amounts)}: for sales that were refunded after they were paid, or deducted by
      hand.
    </p>
  );
}

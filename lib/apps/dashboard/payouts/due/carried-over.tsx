import { countOf, moneysText, moneyText } from '#lib/apps/web/format.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import type { PayoutPreview } from '#lib/wire/earnings/payout.ts';

/** Amounts that are due but below the minimum payout. */
export function CarriedOver({ items }: { readonly items: PayoutPreview['left_out'] }) {
  const { program } = useProgram();
  if (items.length === 0) return null;
  const amounts: Record<string, number> = {};
  for (const { currency, amount_cents: cents } of items) amounts[currency] = (amounts[currency] ?? 0) + cents;
  const partners = new Set(items.map(({ partner_id: id }) => id)).size;
  return (
    <p class="hint">
      Carried over: {moneysText(amounts)} of {countOf(partners, 'partner')}, below the minimum of{' '}
      {moneyText(program.minimum_payout_cents, program.currency)}.
    </p>
  );
}

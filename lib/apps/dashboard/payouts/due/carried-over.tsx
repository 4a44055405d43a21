import { countOf, moneyText } from '#lib/apps/web/format.ts';
import type { PayoutPreview } from '#lib/wire/earnings/payout.ts';

/** Amounts that are due but below the minimum payout. */
export function CarriedOver({ preview: { carried_over: carriedOver } }: { readonly preview: PayoutPreview }) {
  if (!carriedOver) return null;
  const { partners, amount_cents: amount, minimum_cents: minimum, currency } = carriedOver;
  return (
    <p class="hint">
      Carried over: {moneyText(amount, currency)} of {countOf(partners, 'partner')}, below the minimum of{' '}
      {moneyText(minimum, currency)}.
    </p>
  );
}

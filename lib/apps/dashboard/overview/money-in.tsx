import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { leftOutText } from '#lib/apps/web/report/left-out.ts';

interface MoneyInProps {
  readonly amounts: Readonly<Record<string, number>>;
  readonly currency: string;
}

/** Shows the amount in the currency of the page and, in a second line, the amounts in other currencies. */
export function MoneyIn({ amounts, currency }: MoneyInProps) {
  const others = leftOutText(amounts, currency);
  return (
    <>
      <Money cents={amounts[currency] ?? 0} currency={currency} />
      {others !== '' && <div class="muted left-out">{others}</div>}
    </>
  );
}

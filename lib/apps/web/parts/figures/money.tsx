import { moneyText } from '#lib/apps/web/format.ts';

/** Maximum number of characters that fit into a cell of a card. */
const SHORT = 10;

/** Shows an amount. Its digits are of equal width, so that amounts in a column are aligned. */
export function Money({ cents, currency }: { readonly cents: number; readonly currency: string }) {
  const text = moneyText(cents, currency);
  return <span class={`money ${text.length > SHORT ? 'long' : ''}`}>{text}</span>;
}

/** Shows an amount for each currency, one below the other, in the order of the currencies' codes. */
export const Moneys = ({ amounts }: { readonly amounts: Readonly<Record<string, number>> }) => (
  <>
    {Object.keys(amounts)
      .toSorted()
      .map((currency) => (
        <div key={currency}>
          <Money cents={amounts[currency]!} currency={currency} />
        </div>
      ))}
    {Object.keys(amounts).length === 0 && <span class="muted">–</span>}
  </>
);

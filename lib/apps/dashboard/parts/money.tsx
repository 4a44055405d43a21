import { moneyText } from '#lib/apps/dashboard/format.ts';

/** An amount with aligned digits. */
export const Money = ({ cents, currency }: { readonly cents: number; readonly currency: string }) => (
  <span class="money">{moneyText(cents, currency)}</span>
);

/** One amount per currency, one below the other. */
export const Moneys = ({ amounts }: { readonly amounts: Readonly<Record<string, number>> }) => (
  <>
    {Object.entries(amounts).map(([currency, cents]) => (
      <div key={currency}>
        <Money cents={cents} currency={currency} />
      </div>
    ))}
    {Object.keys(amounts).length === 0 && <span class="muted">–</span>}
  </>
);

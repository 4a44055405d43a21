import { moneyText } from '#lib/apps/web/format.ts';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';

interface Amounts {
  readonly revenue_cents: number;
  readonly commission_cents: number;
  /** The refunded amount. Rows of links do not have it. */
  readonly refunded_cents?: number;
}

interface WithAmounts {
  readonly amounts: Readonly<Record<string, Amounts>>;
}

const centsOf = ({ amounts }: WithAmounts, kind: keyof Amounts): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, of[kind] ?? 0]));

/** Columns for what customers paid and got back, and for the partner's commission, including rejected commission. */
export const moneyColumns: readonly Column<WithAmounts>[] = [
  {
    title: 'Revenue',
    isNumber: true,
    cell: (row) => (
      <>
        <Moneys amounts={centsOf(row, 'revenue_cents')} />
        <Refunded amounts={centsOf(row, 'refunded_cents')} />
      </>
    ),
  },
  {
    title: 'Commission',
    isNumber: true,
    cell: (row) => <Moneys amounts={centsOf(row, 'commission_cents')} />,
  },
];

function Refunded({ amounts }: { readonly amounts: Readonly<Record<string, number>> }) {
  const refunded = Object.fromEntries(Object.entries(amounts).filter(([, cents]) => cents !== 0));
  return (
    <>
      {Object.entries(refunded).map(([currency, cents]) => (
        <div key={currency} class="money muted">
          {moneyText(cents, currency)} refunded
        </div>
      ))}
    </>
  );
}

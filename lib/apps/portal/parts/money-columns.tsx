import { moneysText } from '#lib/apps/web/format.ts';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';

interface Amounts {
  readonly revenue_cents: number;
  readonly commission_cents: number;
  /** The refunded amount; absent in rows of links. */
  readonly refunded_cents?: number;
}

interface WithAmounts {
  readonly amounts: Readonly<Record<string, Amounts>>;
}

/** The titles of amounts. Revenue includes refunded amounts, and commission includes rejected ones. */
export const moneyTitles = {
  revenue_cents: 'Revenue before refunds',
  commission_cents: 'Commission before rejections',
} as const;

const centsOf = ({ amounts }: WithAmounts, kind: keyof Amounts): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, of[kind] ?? 0]));

/** Payments and refunds of customers, and the partner's commission. */
export const moneyColumns: readonly Column<WithAmounts>[] = [
  {
    title: moneyTitles.revenue_cents,
    isNumber: true,
    cell: (row) => (
      <>
        <Moneys amounts={centsOf(row, 'revenue_cents')} />
        <Refunded amounts={centsOf(row, 'refunded_cents')} />
      </>
    ),
  },
  {
    title: moneyTitles.commission_cents,
    isNumber: true,
    cell: (row) => <Moneys amounts={centsOf(row, 'commission_cents')} />,
  },
];

function Refunded({ amounts }: { readonly amounts: Readonly<Record<string, number>> }) {
  const refunded = Object.fromEntries(Object.entries(amounts).filter(([, cents]) => cents !== 0));
  return Object.keys(refunded).length === 0 ? null : <div class="muted">{moneysText(refunded)} refunded</div>;
}

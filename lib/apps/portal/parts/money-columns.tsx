import { Moneys } from '#lib/apps/web/parts/money.tsx';
import type { Column } from '#lib/apps/web/parts/table.tsx';

type Kind = 'revenue_cents' | 'commission_cents';

interface WithAmounts {
  readonly amounts: Readonly<Record<string, Readonly<Record<Kind, number>>>>;
}

const amountColumn = (title: string, kind: Kind): Column<WithAmounts> => ({
  title,
  isNumber: true,
  cell: ({ amounts }) => (
    <Moneys amounts={Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, of[kind]]))} />
  ),
});

/** What customers paid, and what the partner got for it. */
export const moneyColumns: readonly Column<WithAmounts>[] = [
  amountColumn('Revenue', 'revenue_cents'),
  amountColumn('Commission', 'commission_cents'),
];

import type { Partner } from '#lib/wire/partners/partner.ts';
import type { Owed, OwedAmounts } from '#lib/wire/earnings/payout.ts';

/** What a partner is owed and was paid, in one currency. */
export interface BalanceRow extends Omit<OwedAmounts, 'by_date'> {
  readonly currency: string;
  /** The amount paid; undefined while it is loaded. */
  readonly paid_out_cents?: number;
}

const nothing = { pending_cents: 0, approved_cents: 0, held_cents: 0, due_now_cents: 0, balance_cents: 0 };

/** Returns a row for each currency in which something is owed or was paid. @param partner with figures of all time */
export function balanceRows(owed: Owed, partner?: Partner): readonly BalanceRow[] {
  const amounts = new Map(Object.entries(partner?.amounts ?? {}));
  const paid = [...amounts].filter(([, of]) => of.paid_out_cents).map(([currency]) => currency);
  return [...new Set([...Object.keys(owed), ...paid])].toSorted().map((currency) => {
    const { by_date: _, ...open } = { by_date: [], ...nothing, ...new Map(Object.entries(owed)).get(currency) };
    return { currency, ...open, paid_out_cents: partner && (amounts.get(currency)?.paid_out_cents ?? 0) };
  });
}

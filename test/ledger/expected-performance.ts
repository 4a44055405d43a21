import { balanceOf } from '#test/ledger/book.ts';
import { dayOf, type State } from '#test/ledger/state.ts';

// The daily reports that the service must show, computed from the book.

type Row = Record<string, unknown>;

const currenciesOf = ({ book }: State): string[] => [
  ...new Set(book.flatMap(({ lines }) => lines.map(({ currency }) => currency))),
];

/** Computes amounts for each currency. Zeros are left out. */
export function money(state: State, of: (currency: string) => Record<string, number>): Record<string, Row> {
  const found = currenciesOf(state).map((currency) => {
    const cents = Object.entries(of(currency)).filter(([, value]) => value !== 0);
    return [currency, Object.fromEntries(cents)] as const;
  });
  return Object.fromEntries(found.filter(([, row]) => Object.keys(row).length > 0));
}

/** The report that is expected for one partner, or for all partners. */
export function performance(state: State, partner: string, names: readonly string[]) {
  const { book, clicks, leads, sales } = state;
  const isOf = (kind: string) => (account: string) => account.startsWith(`${kind}/${partner}`);
  const isOwn = (one: { readonly partner: number }): boolean => `${one.partner}/`.startsWith(partner);
  function count(isWithin: (on: string) => boolean) {
    const amounts = money(state, (currency) => {
      const all: Record<string, number> = {
        revenue_cents: 0 - balanceOf(book, currency, isOf('revenue'), isWithin),
        refunded_cents: balanceOf(book, currency, isOf('returned'), isWithin),
        commission_cents: balanceOf(book, currency, isOf('earned'), isWithin),
        rejected_cents: 0 - balanceOf(book, currency, isOf('forfeited'), isWithin),
        platform_fee_cents: balanceOf(
          book,
          currency,
          (account) => account === `fees/${partner.slice(0, -1)}` || (partner === '' && account.startsWith('fees/')),
          isWithin,
        ),
      };
      return Object.fromEntries(names.map((name) => [name, all[name]!]));
    });
    return {
      clicks: clicks.filter((one) => isOwn(one) && isWithin(one.on)).length,
      leads: leads.filter((one) => isOwn(one) && isWithin(one.on)).length,
      sales: sales.filter((one) => isOwn(one) && isWithin(dayOf(one.paidAt))).length,
      amounts,
    };
  }
  const days = new Set([
    ...book.map(({ on }) => on),
    ...clicks.map(({ on }) => on),
    ...leads.map(({ on }) => on),
    ...sales.map(({ paidAt }) => dayOf(paidAt)),
  ]);
  const byDay = [...days].map((on) => [on, count((each) => each === on)] as const);
  const isSomething = ({ clicks: c, leads: l, sales: s, amounts }: ReturnType<typeof count>): boolean =>
    c + l + s > 0 || Object.keys(amounts).length > 0;
  return { days: Object.fromEntries(byDay.filter(([, row]) => isSomething(row))), totals: count(() => true) };
}

export const PARTNERS = ['revenue_cents', 'refunded_cents', 'commission_cents', 'rejected_cents'];
export const OWNERS = [...PARTNERS, 'platform_fee_cents'];
/** The amounts that a row of the list of partners has. */
export const ROWS = ['revenue_cents', 'commission_cents'];

import { balanceOf } from '#test/ledger/book.ts';
import { payable } from '#test/ledger/deciding.ts';
import { commissionOf, dueOf } from '#test/ledger/earning.ts';
import { inOrder } from '#test/ledger/reports.ts';
import { money, OWNERS, PARTNERS, performance, ROWS } from '#test/ledger/expected-performance.ts';
import { statusAt } from '#test/ledger/returning.ts';
import { type Commission, DAY, type Sale, type State } from '#test/ledger/state.ts';

// What every report of the service must show, computed from the ledger.

type Row = Record<string, unknown>;

/** For how many days payments that could not be attributed are listed. */
const LISTED_DAYS = 90;

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** Whether the platform's fee counts. The fee of a commission that a rule holds counts only after the release. */
const isCounted = (one: Commission): boolean => one.status !== 'held' && one.former !== 'held' && !one.neverCounted;

function commission(state: State, one: Commission, now: number) {
  const isOfSale = one.kind === 'sale';
  return {
    kind: one.kind,
    status: statusAt(state, one, now),
    type: one.type,
    rate: one.rate,
    base: one.base,
    amount: one.amount,
    deducted: one.deducted,
    payable: one.amount - one.deducted,
    paidOut: paidOut(state, one),
    currency: one.currency,
    isReversed: one.status === 'reversed',
    rejectionReason: one.rejectionReason,
    byHand: one.byHand ?? false,
    // A commission is marked for review if more was paid for it than is due after refunds.
    needsReview: one.wasPaid && dueOf(state, one) < 0,
    fee: isOfSale ? (isCounted(one) ? one.fee : 0) : null,
    feeReduced: isOfSale ? (isCounted(one) ? one.feeReduced : 0) : null,
    occurredAt: isoOf(one.occurredAt),
    createdAt: isoOf(one.createdAt),
    holdUntil: isoOf(one.holdUntil),
    paidAt: isoOf(one.paidAt),
    payout: one.payout,
  };
}

/** What payouts have paid for a commission, from the postings between its account and the account for cash. */
const paidOut = ({ book }: State, { label, currency }: Commission): number =>
  book
    .filter(({ lines }) => lines.some(({ account }) => account.startsWith('cash/')))
    .flatMap(({ lines }) => lines)
    .filter((line) => line.account === `owed/${label}` && line.currency === currency)
    .reduce((total, { cents }) => total + cents, 0);

/** What is owed to each of these partners. */
function owed(state: State, partners: readonly number[], now: number): Record<string, Row> {
  const due = payable(state, {}, now);
  return money(state, (currency) => {
    const own = state.commissions.filter((one) => one.currency === currency && partners.includes(one.partner));
    const sumOf = (of: readonly Commission[]) => of.reduce((total, one) => total + dueOf(state, one), 0);
    const isReady = (one: Commission) => statusAt(state, one, now) === 'approved';
    const balances = partners.map((partner) =>
      sumOf(own.filter((one) => one.partner === partner && (isReady(one) || one.wasPaid))),
    );
    return {
      pending_cents: sumOf(own.filter((one) => statusAt(state, one, now) === 'pending')),
      approved_cents: sumOf(own.filter(isReady)),
      due_now_cents: due
        .filter((item) => item.currency === currency && partners.includes(item.partner))
        .reduce((total, { cents }) => total + cents, 0),
      balance_cents: balances.reduce((total, cents) => total + Math.min(0, cents), 0),
    };
  });
}

function balance(state: State, partner: number, now: number): Record<string, Row> {
  return money(state, (currency) => {
    const own = state.commissions.filter((one) => one.currency === currency && one.partner === partner);
    const sumOf = (of: readonly Commission[]) => of.reduce((total, one) => total + dueOf(state, one), 0);
    const paid = own.reduce((total, one) => total + paidOut(state, one), 0);
    const isReady = (one: Commission) => statusAt(state, one, now) === 'approved';
    return {
      pending_cents: sumOf(own.filter((one) => statusAt(state, one, now) === 'pending')),
      in_review_cents: own
        .filter(({ status }) => status === 'held')
        .reduce((total, { amount, deducted }) => total + amount - deducted, 0),
      approved_cents: sumOf(own.filter((one) => one.amount >= 0 && isReady(one))),
      // What is due again for commissions that were already paid, because the brand won a dispute.
      restored_cents: Math.max(0, sumOf(own.filter((one) => one.wasPaid))),
      paid_cents: paid,
      // In these histories, no payout line is ever marked as paid.
      on_the_way_cents: paid,
      withheld_cents:
        Math.max(0, 0 - sumOf(own.filter((one) => one.wasPaid))) -
        sumOf(own.filter((one) => one.amount < 0 && isReady(one))),
    };
  });
}

const refundsOf = ({ steps }: Sale): string[] =>
  steps.map(({ reason, cents, total, deducted }) => [reason, cents, total, deducted].join(' ')).toSorted();

const items = (of: ReturnType<typeof payable>) =>
  of.map(({ partner, currency, cents }) => ({ partner, currency, cents }));

export function expectedReports(state: State, now: number) {
  const { commissions, sales, payouts, customers } = state;
  const all = commissions.map((one) => [one, commission(state, one, now)] as const);
  const partners = state.removed.keys().toArray();
  return {
    commissions: Object.fromEntries(all.map(([one, row]) => [one.label, row])),
    csv: Object.fromEntries(
      all.map(([one, row]) => [
        one.label,
        [
          row.status,
          row.currency,
          row.amount,
          row.deducted,
          row.payable,
          row.fee === null ? '' : row.fee - row.feeReduced!,
          row.kind,
        ].join(' '),
      ]),
    ),
    sales: Object.fromEntries(
      sales.map((sale) => [
        sale.id,
        {
          amount: sale.amount,
          currency: sale.currency,
          isRecurring: sale.isRecurring,
          refunded: sale.refunded,
          isPaid: commissionOf(state, sale) !== undefined,
          partner: sale.partner,
        },
      ]),
    ),
    refunds: Object.fromEntries(sales.map((sale) => [sale.id, refundsOf(sale)])),
    customers: inOrder(
      customers
        .filter(({ status, provisionalAt }) => status !== 'click' || provisionalAt !== null)
        .map(({ label, clickId, isKeyBound, key }) => {
          const isOf = (kind: string) => (account: string) =>
            account.startsWith(`${kind}/`) && account.endsWith(`/${label}`);
          const amounts = money(state, (currency) => ({
            revenue_cents: 0 - balanceOf(state.book, currency, isOf('revenue')),
            refunded_cents: balanceOf(state.book, currency, isOf('returned')),
            commission_cents: balanceOf(state.book, currency, isOf('earned')),
          }));
          return [clickId !== null ? label : isKeyBound ? key : 'without key', amounts];
        }),
    ),
    owed: owed(state, partners, now),
    preview: items(payable(state, {}, now)),
    payouts: payouts.map((payout) => ({
      items: items(payout.items),
      of: payout.items.flatMap((item) => item.of).toSorted(),
    })),
    performance: performance(state, '', OWNERS),
    listed: state.listed
      .filter(({ at }) => now - at < LISTED_DAYS * DAY)
      .map(({ id, cents, currency }) => `${id} ${cents} ${currency}`)
      .toSorted(),
    partners: partners.map((partner) => {
      const counts = performance(state, `${partner}/`, ROWS).totals;
      const own = all.filter(([one]) => one.partner === partner);
      return {
        counted: {
          ...counts,
          amounts: money(state, (currency) => ({
            ...(counts.amounts[currency] as Record<string, number>),
            paid_out_cents: balanceOf(state.book, currency, (account) => account === `cash/${partner}`) * -1 || 0,
          })),
        },
        performance: performance(state, `${partner}/`, OWNERS),
        owed: owed(state, [partner], now),
        portal: {
          balance: balance(state, partner, now),
          performance: performance(state, `${partner}/`, PARTNERS),
          commissions: Object.fromEntries(
            own.map(([one, row]) => [
              one.label,
              [
                row.status === 'held' ? 'in_review' : row.status,
                row.amount,
                row.deducted,
                row.payable,
                row.currency,
              ].join(' '),
            ]),
          ),
          payouts: payouts
            .flatMap(({ number, items: paid }) =>
              paid.filter((item) => item.partner === partner).map((item) => `${number} ${item.currency} ${item.cents}`),
            )
            .toSorted(),
        },
      };
    }),
  };
}

export function expectedExplanations(state: State, ids: readonly string[], now: number) {
  return Object.fromEntries(
    ids.map((id) => {
      const sale = state.sales.find((each) => each.id === id)!;
      const one = commissionOf(state, sale);
      const row = one && commission(state, one, now);
      return [
        id,
        {
          amount: sale.amount,
          tax: sale.tax,
          base: sale.base,
          isRecurring: sale.isRecurring,
          refunded: sale.refunded,
          commission: row ? [row.status, row.amount, row.deducted, row.paidOut].join(' ') : null,
          refunds: refundsOf(sale),
          taken: one?.deducted ?? 0,
        },
      ];
    }),
  );
}

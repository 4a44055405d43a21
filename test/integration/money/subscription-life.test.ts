import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withTotals } from '#test/support/payments/lives/counted-journey.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import {
  explained,
  live,
  permutations,
  renewedLife,
  withRepetitions,
} from '#test/support/payments/lives/subscription-life.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Tests that the events of one subscription have the same effect in every order and number.

// Hundreds of histories take a minute, and more on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });
openProcessor();

const steps = ['checkout', 'invoice', 'renewal', 'refund', 'disputed', 'won'] as const;
type Order = readonly (typeof steps)[number][];

/** Whether the subscription's first payment is known when the event of its renewal arrives. */
const isInScope = (order: Order): boolean =>
  order.indexOf('renewal') > Math.min(order.indexOf('checkout'), order.indexOf('invoice'));

const PAID_AT = '2026-11-20T15:00:00.000Z';
const RENEWED_AT = '2026-12-20T15:00:00.000Z';
const DELIVERED_AT = '2026-12-21T15:00:00.000Z';

const terms = { version: 1, from: 'program', name: expect.any(String) };

const sale = {
  amount_cents: 4900,
  tax_cents: null,
  base_cents: 4900,
  currency: 'USD',
  source: 'processor',
  sale_type: 'subscription',
  subscription_id: 'sub_*',
  provider: 'stripe',
  livemode: true,
  is_test: false,
  terms,
  code: null,
  created_at: DELIVERED_AT,
};

const commission = {
  kind: 'sale',
  partner_name: 'Ana',
  lead_id: null,
  status: 'pending',
  commission_type: 'recurring_percent',
  commission_rate: 20,
  terms,
  base_amount_cents: 4900,
  amount_cents: 980,
  paid_out_cents: 0,
  currency: 'USD',
  reversal_reason: null,
  rejection_reason: null,
  by_hand: false,
  needs_review: false,
  hold_until: '2027-01-05T15:00:00.000Z',
  flags: [],
  held_at: null,
  released_at: null,
  approved_at: null,
  paid_at: null,
  reversed_at: null,
  payout_id: null,
  payout_status: null,
  reason: null,
  external_id: null,
  created_at: DELIVERED_AT,
};
const platformFee = { amount_cents: 172, bps: 350, currency: 'USD' };

const attributed = {
  attribution: {
    resolved_by: 'click_id',
    overruled: null,
    partner: { name: 'Ana', short_link: 'ana-*' },
    text: 'Customer click was found by click_id. The first click came through link ana-* of Ana.',
  },
  customer: {
    source: 'click',
    code: null,
    customer_key: 'user_*',
    status: 'conversion',
    lead_state: 'settled',
    email_masked: 'j***@customers.test',
    first_click_at: PAID_AT,
    signup_at: PAID_AT,
    first_purchase_at: PAID_AT,
  },
  lead: { state: 'settled', mode: 'processor', at: PAID_AT },
};

/** The time of a change is a millisecond after the previous change at the same time, in order of arrival. */
const refundRow = { at: expect.stringMatching(/^2026-12-21T15:00:00\.00\dZ$/), refund_reason: null };

/** The expected first payment, which was disputed and won. */
const first = {
  sale: {
    ...sale,
    transaction_id: 'in_*',
    provider_payment_id: 'pi_*',
    is_recurring: false,
    renewal_by: null,
    payment_status: 'paid',
    refunded_amount_cents: 0,
    duplicate_of: null,
    occurred_at: PAID_AT,
  },
  ...attributed,
  window: expect.objectContaining({ checked: true, age_ms: 0, window_days: 60, within: true }),
  commission: {
    ...commission,
    transaction_id: 'in_*',
    deducted_cents: 0,
    payable_cents: 980,
    refund_state: 'none',
    platform_fee: { ...platformFee, reduced_cents: 0 },
    // The number of changes depends on the order.
    version: expect.any(Number),
    occurred_at: PAID_AT,
  },
  refunds: [
    {
      ...refundRow,
      reason: 'dispute_won',
      amount_cents: -4900,
      refunded_amount_cents: 0,
      deduction_cents: -980,
    },
    { ...refundRow, reason: 'chargeback', amount_cents: 4900, refunded_amount_cents: 4900, deduction_cents: 980 },
  ],
};

/** The expected renewal, half of which was refunded. */
const renewal = {
  sale: {
    ...sale,
    transaction_id: 'in_*r',
    provider_payment_id: 'pi_*r',
    is_recurring: true,
    renewal_by: 'billing_reason',
    payment_status: 'partially_refunded',
    refunded_amount_cents: 2450,
    duplicate_of: null,
    occurred_at: RENEWED_AT,
  },
  ...attributed,
  window: expect.objectContaining({ checked: false, reason: 'conversion_already_recorded' }),
  commission: {
    ...commission,
    transaction_id: 'in_*r',
    deducted_cents: 490,
    payable_cents: 490,
    refund_state: 'partial',
    platform_fee: { ...platformFee, reduced_cents: 86 },
    occurred_at: RENEWED_AT,
  },
  refunds: [{ ...refundRow, reason: 'refund', amount_cents: 2450, refunded_amount_cents: 2450, deduction_cents: 490 }],
};

const earned = { sales: 1, revenueUSD: 4900, commissionUSD: 980, platformFeeUSD: 172 };
const days = {
  '2026-11-20': { clicks: 1, leads: 1, ...earned },
  '2026-12-20': earned,
  '2026-12-21': { refundedUSD: 2450, commissionUSD: -490, platformFeeUSD: -86 },
};
const counters = {
  // The sale was paid in one month and recorded in the next.
  partner: { ...withTotals(days), 'tierSales@2026-11-20': -1, 'tierSales@2026-12-21': 1 },
  link: { ...withTotals(days), lastClickedAt: PAID_AT },
  program: {
    ...withTotals({ ...days, '2027-01-05': { pending: 2 } }),
    'clicks@2026-11-20T15:00': 1,
    'leads@2026-11-20T15:00': 1,
    'sales@2026-12-21T15:00': 2,
    'pending@2027-01-05T15:00': 2,
  },
};

const reversed = steps.toReversed().toSorted((a, b) => Number(a === 'renewal') - Number(b === 'renewal'));
const kinds = {
  'in every order': permutations(steps).filter(isInScope),
  'when one is delivered again': withRepetitions(steps),
  'when all are delivered twice': [
    [...steps, ...steps],
    [...reversed, ...reversed],
    steps.flatMap((step) => [step, step]),
  ],
  'with the renewal first': permutations(steps).filter((order) => !isInScope(order) && order.at(-1) === 'won'),
} satisfies Record<string, readonly Order[]>;

/** One in this many orders. */
const oneOf = (count: number, orders: readonly Order[]) => orders.filter((_, at) => at % count === 0);

const runs = [
  { run: 'in some orders', tags: [], picked: (orders: readonly Order[]) => oneOf(20, orders) },
  { run: 'in a third of all orders', tags: ['deep'], picked: (orders: readonly Order[]) => oneOf(3, orders) },
];

for (const { run, tags, picked } of runs)
  describe(`subscription histories ${run}`, { tags }, () => {
    let world: World;
    let lived: Awaited<ReturnType<typeof live<Order[number]>>>;
    beforeAll(async () => {
      world = await openWorld();
      lived = await live(world, renewedLife, picked(Object.values(kinds).flat()));
    });

    /** Plays these orders. @returns the final states */
    async function* endsOf(orders: readonly Order[]) {
      for (const { order, life, counters: left } of lived.filter((each) => orders.includes(each.order))) {
        const [told, renewed] = [`in_${life.name}`, `in_${life.name}r`].map((id) => explained(world, life, id));
        yield { order, first: await told!, renewal: await renewed!, counters: left };
      }
    }

    afterAll(() => expectNothingHalfWritten(world));

    describe('the events of a subscription', () => {
      it.each(['in every order', 'when one is delivered again', 'when all are delivered twice'] as const)(
        'end in the same sales, commissions and counters when delivered %s',
        async (kind) => {
          for await (const end of endsOf(kinds[kind])) {
            const { order } = end;
            // If the refund arrived before the renewal, the commission contains it from the start.
            const version = order.indexOf('refund') < order.indexOf('renewal') ? 1 : 2;
            expect(end).toEqual({
              order,
              first,
              renewal: { ...renewal, commission: { ...renewal.commission, version } },
              counters,
            });
            // The invoice settles the sign-up; a checkout before it only has the payment.
            const isSettled = order.indexOf('invoice') < order.indexOf('checkout');
            expect(end.first.window).toMatchObject({
              compared_with: isSettled ? 'signup' : 'payment',
              compared_at: PAID_AT,
            });
          }
        },
      );
    });

    describe('a second payment that is reported before the first one', () => {
      it('is changed into a renewal once the first one arrives, and each of the two sales has its own refunds', async () => {
        for await (const end of endsOf(kinds['with the renewal first'])) {
          const money = ({ sale: sold, commission: earning, refunds }: typeof end.first) => [
            sold.refunded_amount_cents,
            earning?.payable_cents,
            refunds,
          ];
          expect([end.order, money(end.first), money(end.renewal), end.counters]).toEqual([
            end.order,
            [0, 980, first.refunds],
            [2450, 490, renewal.refunds],
            counters,
          ]);
          expect([end.first.sale.is_recurring, end.renewal.sale.is_recurring]).toEqual([false, true]);
        }
      });
    });
  });

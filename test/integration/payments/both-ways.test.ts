import { describe, expect, it } from 'vitest';
import { type History, playBothWays, type Side } from '#test/support/cases/both-ways.ts';
import { factPump } from '#test/support/outbox/facts.ts';
import { browserLead, settledLead } from '#test/support/payments/lives/journeys.ts';
import { codeEvent, discountedBy } from '#test/support/payments/coded-payments.ts';
import { givenCode } from '#test/support/programs/codes.ts';
import { invoiced, paid, renewed, subscribed } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { charge, checkoutSession, dispute, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// A brand can have Stripe send its events to the service, or forward them itself. Both must pay the same.

openProcessor();

const world = openedWorld({ hasFacts: true });
const pump = opened(() => factPump(world));

const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);

/** A trial begins with an invoice of zero; the first payment is named like a renewal. */
const trial = ({ id, metadata }: Side) => [
  subscribed(id, { metadata, amount_total: 0, payment_status: 'no_payment_required' }),
  invoiced(id, { metadata, amount_paid: 0 }),
];

/** The events, the number of their sales, and the number of listed unattributed payments. */
const histories: Readonly<
  Record<string, { readonly play: History; readonly made: readonly [sales: number, unsold: number] }>
> = {
  'a single payment, refunded in parts': {
    play: async ({ id, metadata, tell }) =>
      tell(
        paid(id, { metadata }),
        stripeEvent('charge.refunded', charge(id, { amount_refunded: 1000 })),
        stripeEvent('charge.refunded', charge(id, { amount_refunded: 2500 })),
      ),
    made: [1, 0],
  },
  'a browser lead that the payment settles': {
    play: async ({ id, clickId, metadata, tell }) => {
      await browserLead({ click_id: clickId, customer_key: 'jo', email: 'jo@customers.test' });
      await tell(paid(id, { metadata: { ...metadata, service_customer_key: 'jo' } }));
    },
    made: [1, 0],
  },
  'a free trial, its first payment, a renewal and an upgrade': {
    play: async (side) => {
      const { id, metadata, tell, sendAt } = side;
      await tell(...trial(side));
      await sendAt(days(14), renewed(id, { metadata, paidAt: days(14) }));
      const upgrade = { metadata, paidAt: days(20), billing_reason: 'subscription_update', id: `in_${id}u` };
      await sendAt(days(20), renewed(id, { ...upgrade, payments: { data: [] } }));
    },
    made: [2, 0],
  },
  'a subscription whose refund and invoice come before its checkout': {
    play: async ({ id, metadata, tell }) =>
      tell(
        stripeEvent('charge.refunded', charge(id, { amount_refunded: 900 })),
        invoiced(id, { metadata }),
        subscribed(id, { metadata }),
        invoiced(id, { metadata }, 'invoice.payment_succeeded'),
      ),
    made: [1, 0],
  },
  'a dispute that is won, after a refund': {
    play: async ({ id, metadata, tell }) =>
      tell(
        paid(id, { metadata }),
        stripeEvent('charge.refunded', charge(id, { amount_refunded: 900 })),
        stripeEvent('charge.dispute.created', dispute(id, { amount: 4000 })),
        stripeEvent('charge.dispute.funds_withdrawn', dispute(id, { amount: 4000 })),
        stripeEvent('charge.dispute.closed', dispute(id, { amount: 4000, status: 'won' })),
      ),
    made: [1, 0],
  },
  'a partner’s code that becomes known after the payment': {
    play: async ({ brand, id, tell }) => {
      await givenCode(world, brand);
      await tell(paid(id, discountedBy(id)), codeEvent(`promo_${id}`));
    },
    made: [1, 0],
  },
  'other currencies, unknown clicks, another program’s metadata, and events that are not payments': {
    play: async ({ id, metadata, tell }) =>
      tell(
        paid(`${id}a`, { metadata, currency: 'gbp' }),
        paid(`${id}b`, { metadata: { service_click_id: `clk_${'0'.repeat(26)}` } }),
        paid(`${id}c`, { metadata: { ...metadata, program_id: 999_999 } }),
        paid(`${id}d`),
        stripeEvent('customer.created', { id: `cus_${id}` }),
        stripeEvent('account.application.deauthorized', { id: 'ca_1' }, { account: 'acct_1' }),
      ),
    made: [0, 3],
  },
  'a payment after the attribution window': {
    play: async ({ id, metadata, sendAt }) =>
      sendAt(days(61), stripeEvent('checkout.session.completed', checkoutSession(id, { metadata }), { at: days(61) })),
    made: [0, 1],
  },
  'payments of Stripe’s test mode': {
    play: async ({ id, metadata, tell }) =>
      tell({ ...paid(id, { metadata }), livemode: false }, { ...invoiced(`${id}s`, { metadata }), livemode: false }),
    made: [2, 0],
  },
  'events that are delivered twice': {
    play: async ({ id, clickId, brand, metadata, tell }) => {
      await settledLead(brand, { click_id: clickId, email: 'sam@customers.test' });
      const events = [paid(id, { metadata }), stripeEvent('charge.refunded', charge(id))];
      await tell(...events, ...events.toReversed());
    },
    made: [1, 0],
  },
};

describe.each([
  ['in a program that pays for renewals', { commissionType: 'recurring_percent' }],
  ['in a program that does not pay for renewals', { commissionType: 'percent' }],
] as const)('a payment that reaches the service from the API as well as from Stripe, %s,', (_, settings) => {
  it.each(Object.entries(histories))(
    'has the same result whether Stripe or the brand’s server delivers the event: %s',
    async (__, { play, made }) => {
      const { webhook, forwarded } = await playBothWays(world, pump, play, { settings });
      expect([webhook.sales.length, webhook.unsold.length]).toEqual(made);
      expect(forwarded).toEqual(webhook);
    },
  );
});

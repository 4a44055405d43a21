import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readEvent } from '#lib/service/conversions/stripe/read-event.ts';
import { amountFromStripe } from '#lib/service/conversions/stripe/amount.ts';
import { charge, checkoutSession, dispute, subscriptionInvoice } from '#test/support/stripe/stripe.ts';

it.each([
  ['USD', 4_900, 4_900],
  ['JPY', 4_900, 4_900],
  // Stripe sends multiples of ten, which are already thousandths.
  ['KWD', 4_900, 4_900],
  ['ISK', 4_900, 49],
  ['UGX', 4_900, 49],
  ['MGA', 49, 4_900],
  ['ISK', 149, 1],
  ['ISK', 150, 2],
  ['ISK', -4_900, -4_900],
  ['ISK', 2 ** 60, Number.MAX_SAFE_INTEGER],
  ['MGA', 2 ** 52, Number.MAX_SAFE_INTEGER],
  ['USD', -(2 ** 53), -Number.MAX_SAFE_INTEGER],
  ['EURO', 5, 5],
  ['', 5, 5],
])(
  'amountFromStripe converts Stripe’s amount %s %d to %d in the smallest unit that the service uses',
  (currency, sent, amount) => {
    expect(amountFromStripe(sent, currency)).toBe(amount);
  },
);

it.each(['4900', 1.5, null, undefined, Number.NaN, Infinity])('amountFromStripe refuses %j', (sent) => {
  expect(amountFromStripe(sent, 'ISK')).toBe(0);
});

it('amountFromStripe rounds half up, and never reads a larger amount as a smaller one', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.constantFrom('ISK', 'UGX'), (one, another, currency) => {
      const amount = amountFromStripe(one, currency);
      const excess = 2 * (amount * 100 - one);
      expect(excess > -100 && excess <= 100).toBe(true);
      expect(amountFromStripe(one + another, currency)).toBeGreaterThanOrEqual(amount);
    }),
  );
});

it.each([
  ['checkout.session.completed', checkoutSession('1', { currency: 'isk', amount_total: 4_900 }), 'payment.amountCents'],
  ['invoice.paid', { ...subscriptionInvoice('1', '2'), currency: 'isk', amount_paid: 4_900 }, 'payment.amountCents'],
  ['charge.refunded', { ...charge('1'), currency: 'isk', amount_refunded: 4_900 }, 'reversal.totalCents'],
  ['charge.dispute.created', { ...dispute('1'), currency: 'isk', amount: 4_900 }, 'reversal.amountCents'],
])(
  'readEvent converts the amount of the event %s in Icelandic krónur, which Stripe gives in hundredths, to whole krónur',
  (type, object, where) => {
    const event = readEvent({ id: 'evt_1', type, created: 1_795_186_800, livemode: true, data: { object } });
    expect(event?.report).toHaveProperty(where, 49);
  },
);

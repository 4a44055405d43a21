import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import {
  paymentFromStripeEvent,
  refundFromStripeEvent,
  saleFromStripeEvent,
  type StripeEvent,
  stripeMetadata,
} from '#lib/apps/client/referral-client.ts';
import { charge, checkoutSession, dispute, stripeEvent, subscriptionInvoice } from '#test/support/stripe.ts';

const metadata = stripeMetadata({ clickId: 'clk_1', customerId: 'user_1' });
const named = { clickId: 'clk_1', customerId: 'user_1' };

// The same payments as Stripe reported them before 2025-03-31, since then, and since 2025-09-30, when an invoice names
// its payments only to those who ask for them.
const oldInvoice = {
  id: 'in_1',
  object: 'invoice',
  amount_paid: 4900,
  currency: 'eur',
  billing_reason: 'subscription_cycle',
  subscription: 'sub_1',
  subscription_details: { metadata },
  charge: 'ch_1',
  payment_intent: 'pi_1',
};
const invoice = subscriptionInvoice('1', '1', { metadata, currency: 'eur' });
const { payments: _, ...newestInvoice } = invoice as { payments: object } & Record<string, unknown>;
const invoices = { 'before 2025-03-31': oldInvoice, 'since 2025-03-31': invoice, 'since 2025-09-30': newestInvoice };

const invoicePayment = (invoiceId: string, paymentIntent: unknown) =>
  stripeEvent('invoice_payment.paid', {
    id: 'inpay_1',
    object: 'invoice_payment',
    invoice: invoiceId,
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
  });

describe('stripeMetadata', () => {
  it('names the customer as the service reads it', () => {
    expect(metadata).toEqual({ service_click_id: 'clk_1', service_customer_key: 'user_1' });
    expect(stripeMetadata({ customerId: 7, programId: 2 })).toEqual({ service_customer_key: '7', program_id: '2' });
    expect(stripeMetadata({ clickId: undefined, customerId: undefined })).toEqual({});
  });
});

const completed = (more: object = {}) =>
  stripeEvent('checkout.session.completed', checkoutSession('1', { metadata, ...more }));

describe('saleFromStripeEvent', () => {
  it('reads a single payment', () => {
    expect(saleFromStripeEvent(completed())).toEqual({ ...named, amount: 4900, currency: 'usd', invoiceId: 'cs_1' });
  });

  it('knows a checkout by its invoice, as refunds and renewals do', () => {
    const expected = { ...named, amount: 4900, currency: 'usd', saleType: 'subscription', subscriptionId: 'sub_1' };
    const subscribed = { mode: 'subscription', payment_intent: null, subscription: 'sub_1' };
    expect(saleFromStripeEvent(completed({ ...subscribed, invoice: 'in_1' }))).toEqual({
      ...expected,
      invoiceId: 'in_1',
    });
    expect(
      saleFromStripeEvent(completed({ ...subscribed, invoice: { id: 'in_1' }, subscription: { id: 'sub_1' } })),
    ).toEqual({ ...expected, invoiceId: 'in_1' });
    expect(saleFromStripeEvent(completed({ ...subscribed, invoice: null }))).toEqual({
      ...expected,
      invoiceId: 'cs_1',
    });
  });

  it('waits for money that is on its way', () => {
    expect(saleFromStripeEvent(completed({ payment_status: 'unpaid' }))).toBeUndefined();
    const arrived = stripeEvent('checkout.session.async_payment_succeeded', checkoutSession('1', { metadata }));
    expect(saleFromStripeEvent(arrived)).toEqual({ ...named, amount: 4900, currency: 'usd', invoiceId: 'cs_1' });
  });

  it.each(Object.entries(invoices))('reads a renewal as reported %s', (__, object) => {
    expect(saleFromStripeEvent(stripeEvent('invoice.paid', object))).toEqual({
      ...named,
      amount: 4900,
      currency: 'eur',
      invoiceId: 'in_1',
      saleType: 'subscription',
      isRecurring: true,
      subscriptionId: 'sub_1',
    });
  });

  it.each([
    ['a checkout of nothing', completed({ amount_total: 0, payment_status: 'no_payment_required' })],
    ['a checkout that only keeps a card', completed({ mode: 'setup', amount_total: null })],
    ['a payment that names nobody', completed({ metadata: {} })],
    ['a payment without metadata', completed({ metadata: null })],
    [
      'the first invoice, which the checkout told',
      stripeEvent('invoice.paid', { ...invoice, billing_reason: 'subscription_create' }),
    ],
    ['an invoice written by hand', stripeEvent('invoice.paid', { ...invoice, billing_reason: 'manual' })],
    ['a renewal of nothing', stripeEvent('invoice.paid', { ...invoice, amount_paid: 0 })],
    ['the same renewal under its other name', stripeEvent('invoice.payment_succeeded', invoice)],
    ['any other event', stripeEvent('customer.created', { id: 'cus_1' })],
  ])('finds no sale in %s', (__, event) => {
    expect(saleFromStripeEvent(event)).toBeUndefined();
  });

  it('takes a payment of Stripe’s test mode only where that is wanted', () => {
    const event = { ...completed(), livemode: false };
    expect(saleFromStripeEvent(event)).toBeUndefined();
    expect(saleFromStripeEvent(event, { testPayments: true })).toEqual(saleFromStripeEvent(completed()));
  });
});

describe('paymentFromStripeEvent', () => {
  it.each([
    ['a checkout', stripeEvent('checkout.session.completed', checkoutSession('1')), 'pi_1', 'cs_1', true],
    [
      'a checkout that made an invoice',
      stripeEvent('checkout.session.completed', checkoutSession('1', { invoice: 'in_1' })),
      'pi_1',
      'in_1',
      true,
    ],
    ['an invoice before 2025-03-31', stripeEvent('invoice.paid', oldInvoice), 'pi_1', 'in_1', false],
    ['the payment of an invoice since', invoicePayment('in_1', 'pi_1'), 'pi_1', 'in_1', false],
    ['the same, expanded', invoicePayment('in_1', { id: 'pi_1' }), 'pi_1', 'in_1', false],
  ])('says by %s what to keep', (__, event, paymentIntentId, invoiceId, replaces) => {
    expect(paymentFromStripeEvent(event)).toEqual({ paymentIntentId, invoiceId, replaces });
  });

  it.each([
    [
      'the checkout of a subscription',
      stripeEvent('checkout.session.completed', checkoutSession('1', { payment_intent: null })),
    ],
    ['an invoice since 2025-03-31', stripeEvent('invoice.paid', newestInvoice)],
    ['a refund', stripeEvent('charge.refunded', charge('1'))],
  ])('has nothing to keep of %s', (__, event) => {
    expect(paymentFromStripeEvent(event)).toBeUndefined();
  });
});

describe('refundFromStripeEvent', () => {
  const kept = new Map([['pi_1', 'cs_1']]);
  const refundOf = (event: StripeEvent, known: ReadonlyMap<string, string> = kept) =>
    refundFromStripeEvent(event, { invoiceIdOf: async (paymentIntentId) => known.get(paymentIntentId) });

  it('returns the total refunded so far', async () => {
    const partly = stripeEvent('charge.refunded', charge('1', { amount_refunded: 1000 }));
    expect(await refundOf(partly)).toEqual({ invoiceId: 'cs_1', refundAmountCents: 1000, reason: 'refund' });
  });

  it('takes the invoice that a charge named before 2025-03-31 where nothing is kept', async () => {
    const told = stripeEvent('charge.refunded', charge('1', { invoice: 'in_1' }));
    const refund = { refundAmountCents: 4900, reason: 'refund' };
    expect(await refundOf(told, new Map())).toEqual({ invoiceId: 'in_1', ...refund });
    expect(await refundOf(told)).toEqual({ invoiceId: 'cs_1', ...refund });
  });

  it.each(['charge.dispute.created', 'charge.dispute.funds_withdrawn'])('%s takes what is disputed', async (type) => {
    expect(await refundOf(stripeEvent(type, dispute('1')))).toEqual({
      invoiceId: 'cs_1',
      refundAmountCents: 4900,
      reason: 'chargeback',
    });
  });

  it.each([
    [
      'a question of the bank',
      stripeEvent('charge.dispute.created', dispute('1', { status: 'warning_needs_response' })),
    ],
    ['a dispute that is over', stripeEvent('charge.dispute.closed', dispute('1', { status: 'won' }))],
    ['a payment that the shop knows nothing of', stripeEvent('charge.refunded', charge('2'))],
    ['a payment without an intent', stripeEvent('charge.refunded', charge('1', { payment_intent: null }))],
    ['a refund of nothing', stripeEvent('charge.refunded', charge('1', { amount_refunded: 0 }))],
    ['a payment', stripeEvent('checkout.session.completed', checkoutSession('1', { metadata }))],
  ])('finds no refund in %s', async (__, event) => {
    expect(await refundOf(event)).toBeUndefined();
  });
});

/** Compiles only if the events of Stripe's own library fit. */
const saleOfTyped = (event: Stripe.Event) => saleFromStripeEvent(event);

it("takes events as Stripe's own library types them", () => {
  expect(saleOfTyped(completed() as unknown as Stripe.Event)).toMatchObject({ invoiceId: 'cs_1' });
});

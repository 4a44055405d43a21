import { describe, expect, it } from 'vitest';
import type { ProcessorReport } from '#lib/service/conversions/processors/processor-event.ts';
import { readEvent } from '#lib/service/conversions/stripe/read-event.ts';
import { charge, checkoutSession, dispute, subscriptionInvoice } from '#test/support/stripe/stripe.ts';

const CLICK = 'clk_0123456789abcdefghjkmnpqrs';
const CREATED = 1_795_186_800;
const AT = new Date(CREATED * 1000);

type Fields = Record<string, unknown>;

const eventOf = (type: string, object: Fields, more: Fields = {}) => ({
  id: 'evt_1',
  type,
  created: CREATED,
  livemode: true,
  data: { object },
  ...more,
});

const report = (type: string, object: Fields): ProcessorReport | undefined => readEvent(eventOf(type, object))?.report;

/** The payment's data, or why the event is no payment. */
function paymentOf(type: string, object: Fields) {
  const told = report(type, object);
  return told?.kind === 'payment' ? told.payment : told;
}

describe('readEvent, which reads an event of Stripe,', () => {
  it('reads the id, the type, the account and whether the event is live', () => {
    const event = eventOf('charge.refunded', charge('1'), { account: 'acct_1', livemode: false });
    expect(readEvent(event)).toMatchObject({
      id: 'evt_1',
      type: 'charge.refunded',
      accountId: 'acct_1',
      isLive: false,
    });
  });

  it('treats an event without the field livemode as live, and one without account as the platform’s', () => {
    const { livemode: _, ...event } = eventOf('other', {});
    expect(readEvent(event)).toEqual({
      id: 'evt_1',
      type: 'other',
      accountId: undefined,
      isLive: true,
      report: { kind: 'ignored', reason: 'other_type' },
    });
  });

  it.each<[string, Fields]>([
    ['an id', { id: undefined }],
    ['a string id', { id: 7 }],
    ['an id that fits into a table key', { id: 'x'.repeat(256) }],
    ['a type', { type: null }],
    ['a time', { created: undefined }],
    ['a whole number of seconds', { created: 1.5 }],
    ['a valid date', { created: Number.MAX_SAFE_INTEGER }],
  ])('refuses an event without %s', (_, more) => {
    expect(readEvent(eventOf('charge.refunded', charge('1'), more))).toBeUndefined();
  });
});

describe('a checkout.session.completed event', () => {
  const metadata = { service_click_id: 'clk_1', service_customer_key: 'user_1', program_id: '3', other: 'x' };

  it('is read as a single payment', () => {
    const session = checkoutSession('1', { metadata, customer_details: { email: ' Jo@Customers.test' } });
    expect(paymentOf('checkout.session.completed', session)).toEqual({
      transactionId: 'cs_1',
      amountCents: 4900,
      currency: 'USD',
      paidAt: AT,
      order: 'single',
      settlesLead: true,
      references: ['cs_1', 'pi_1'],
      paymentIntentId: 'pi_1',
      subscriptionId: undefined,
      payer: { clickId: 'clk_1', customerKey: 'user_1', email: 'jo@customers.test', processorCustomerId: 'cus_1' },
      programId: 3,
    });
  });

  it('is read as the first payment of a subscription', () => {
    const session = checkoutSession('1', {
      mode: 'subscription',
      payment_intent: null,
      invoice: 'in_1',
      subscription: 'sub_1',
    });
    expect(paymentOf('checkout.session.completed', session)).toMatchObject({
      transactionId: 'in_1',
      order: 'first',
      settlesLead: false,
      references: ['cs_1', 'in_1'],
      subscriptionId: 'sub_1',
      payer: { clickId: undefined, customerKey: undefined, email: undefined },
      programId: undefined,
    });
  });

  it.each<[string, Fields, string | undefined]>([
    ['a click id', { client_reference_id: CLICK }, CLICK],
    ['a click id, with other metadata', { client_reference_id: CLICK, metadata: { program_id: '3' } }, CLICK],
    ['a click id, and blank metadata', { client_reference_id: CLICK, metadata: { service_click_id: ' ' } }, CLICK],
    [
      'a click id, and another in the metadata',
      { client_reference_id: CLICK, metadata: { service_click_id: 'clk_1' } },
      'clk_1',
    ],
    [
      'a click id, and metadata that match nothing',
      { client_reference_id: CLICK, metadata: { service_click_id: 'x'.repeat(256) } },
      '',
    ],
    ['another text', { client_reference_id: 'user_123' }, undefined],
    ['nothing', { client_reference_id: null }, undefined],
    ['an object', { client_reference_id: { id: CLICK } }, undefined],
  ])(
    'takes the click id from its metadata, or else from client_reference_id if that is one: %s',
    (_, more, clickId) => {
      expect(paymentOf('checkout.session.completed', checkoutSession('1', more))).toMatchObject({ payer: { clickId } });
    },
  );

  it('is read the same if it contains whole objects in place of their ids', () => {
    const session = checkoutSession('1', {
      payment_intent: { id: 'pi_1', latest_charge: { id: 'ch_1' } },
      customer: { id: 'cus_1', email: 'other@customers.test' },
      invoice: { id: 'in_1' },
    });
    expect(paymentOf('checkout.session.completed', session)).toMatchObject({
      references: ['cs_1', 'pi_1', 'ch_1', 'in_1'],
      payer: { processorCustomerId: 'cus_1' },
    });
  });

  it.each<[unknown, number | undefined]>([
    ['3', 3],
    [3, 3],
    ['', undefined],
    [null, undefined],
    ['three', 0],
    ['3.0', 0],
    [0, 0],
    [{}, 0],
  ])('with the program %j in its metadata belongs to the program %s', (program_id, programId) => {
    const session = checkoutSession('1', { metadata: { program_id } });
    expect(paymentOf('checkout.session.completed', session)).toMatchObject({ programId });
  });
});

const parentOf = (details: Fields) => ({
  type: 'subscription_details',
  subscription_details: { subscription: 'sub_2', ...details },
});

describe('an invoice.paid event of Stripe', () => {
  const metadata = { service_click_id: 'clk_1' };
  const PAID_AT = new Date((CREATED - 60) * 1000);

  it('is read in the format of API versions since 2025-03-31', () => {
    expect(paymentOf('invoice.paid', subscriptionInvoice('1', '2', { metadata, paidAt: PAID_AT }))).toEqual({
      transactionId: 'in_1',
      amountCents: 4900,
      currency: 'USD',
      paidAt: PAID_AT,
      order: 'later',
      settlesLead: true,
      references: ['in_1', 'pi_1'],
      paymentIntentId: 'pi_1',
      subscriptionId: 'sub_2',
      payer: { clickId: 'clk_1', customerKey: undefined, email: undefined, processorCustomerId: 'cus_2' },
      programId: undefined,
    });
  });

  it('is read in the format of older API versions', () => {
    const old = {
      id: 'in_1',
      amount_paid: 4900,
      currency: 'eur',
      billing_reason: 'subscription_create',
      customer: 'cus_2',
      customer_email: 'jo@customers.test',
      subscription: 'sub_2',
      subscription_details: { metadata },
      payment_intent: 'pi_1',
      charge: 'ch_1',
    };
    expect(paymentOf('invoice.payment_succeeded', old)).toEqual({
      transactionId: 'in_1',
      amountCents: 4900,
      currency: 'EUR',
      paidAt: AT,
      order: 'first',
      settlesLead: true,
      references: ['in_1', 'ch_1', 'pi_1'],
      paymentIntentId: 'pi_1',
      subscriptionId: 'sub_2',
      payer: { clickId: 'clk_1', customerKey: undefined, email: 'jo@customers.test', processorCustomerId: 'cus_2' },
      programId: undefined,
    });
  });

  it('takes the click id from the metadata of its parent, or else from subscription_details, as in older API versions', () => {
    const both = { subscription_details: { metadata: { service_click_id: 'clk_old' } } };
    const click = (details: Fields) => {
      const payment = paymentOf('invoice.paid', subscriptionInvoice('1', '2', { ...both, parent: parentOf(details) }));
      return payment && 'payer' in payment ? payment.payer.clickId : undefined;
    };
    expect([click({ metadata }), click({})]).toEqual(['clk_1', 'clk_old']);
  });

  it('has the ids of all of its partial payments', () => {
    const payments = {
      data: [
        { payment: { type: 'payment_intent', payment_intent: 'pi_a' } },
        { payment: { type: 'charge', charge: 'ch_b' } },
        { payment: { payment_intent: 'pi_a' } },
        null,
        {},
      ],
    };
    expect(paymentOf('invoice.paid', subscriptionInvoice('1', '2', { payments }))).toMatchObject({
      references: ['in_1', 'pi_a', 'ch_b'],
      paymentIntentId: 'pi_a',
    });
  });

  it('gets the time of the event if its payment time is invalid', () => {
    const invoice = { ...subscriptionInvoice('1', '2'), status_transitions: { paid_at: Number.MAX_SAFE_INTEGER } };
    expect(paymentOf('invoice.paid', invoice)).toMatchObject({ paidAt: AT });
  });
});

describe('an event about a refund or dispute', () => {
  it.each<[string, Fields, ProcessorReport]>([
    [
      'charge.refunded',
      charge('1', { invoice: 'in_1', amount_refunded: 100 }),
      {
        kind: 'reversal',
        reversal: { kind: 'refund', chargeId: 'ch_1', totalCents: 100, currency: 'USD', chargeCents: 4900 },
        references: ['ch_1', 'pi_1', 'in_1'],
      },
    ],
    [
      'charge.refunded',
      charge('1', { amount_refunded: 2 ** 60 }),
      {
        kind: 'reversal',
        reversal: {
          kind: 'refund',
          chargeId: 'ch_1',
          totalCents: 1_000_000_000_000,
          currency: 'USD',
          chargeCents: 4900,
        },
        references: ['ch_1', 'pi_1'],
      },
    ],
    // Stripe also counts as refunded what it authorized and the brand did not capture. It was never paid.
    [
      'charge.refunded',
      charge('1', { amount: 20_675, amount_captured: 20_300, amount_refunded: 375 + 2_030 }),
      {
        kind: 'reversal',
        reversal: { kind: 'refund', chargeId: 'ch_1', totalCents: 2_030, currency: 'USD', chargeCents: 20_300 },
        references: ['ch_1', 'pi_1'],
      },
    ],
    [
      'charge.refunded',
      charge('1', { amount: 20_675, amount_captured: 20_300, amount_refunded: 375 }),
      { kind: 'ignored', reason: 'nothing_refunded' },
    ],
    [
      'charge.refunded',
      charge('1', { amount_captured: 0, amount_refunded: 4_900 }),
      { kind: 'ignored', reason: 'nothing_refunded' },
    ],
    // The brand may capture more than it authorized.
    [
      'charge.refunded',
      charge('1', { amount_captured: 5_000, amount_refunded: 5_000 }),
      {
        kind: 'reversal',
        reversal: { kind: 'refund', chargeId: 'ch_1', totalCents: 5_000, currency: 'USD', chargeCents: 5_000 },
        references: ['ch_1', 'pi_1'],
      },
    ],
    [
      'charge.dispute.created',
      dispute('1', { amount: 1_000_000_000_001 }),
      {
        kind: 'reversal',
        reversal: { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 1_000_000_000_000, currency: 'USD' },
        references: ['ch_1', 'pi_1'],
      },
    ],
    [
      'charge.dispute.created',
      dispute('1'),
      {
        kind: 'reversal',
        reversal: { kind: 'disputeOpened', disputeId: 'dp_1', amountCents: 4900, currency: 'USD' },
        references: ['ch_1', 'pi_1'],
      },
    ],
    [
      'charge.dispute.funds_reinstated',
      dispute('1', { charge: { id: 'ch_1', amount: 9800 }, payment_intent: null }),
      {
        kind: 'reversal',
        reversal: { kind: 'disputeWon', disputeId: 'dp_1', amountCents: 4900, currency: 'USD', chargeCents: 9800 },
        references: ['ch_1'],
      },
    ],
  ])('is read correctly from %s', (type, object, told) => {
    expect(report(type, object)).toEqual(told);
  });
});

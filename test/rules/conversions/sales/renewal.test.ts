import { describe, expect, it } from 'vitest';
import {
  overtakes,
  paidForWith,
  renewalBy,
  withInvoiceRenewal,
  withRenewal,
} from '#lib/service/conversions/sales/renewal.ts';

const facts = {
  transactionId: 'in_1',
  amountCents: 4900,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
} as const;
type Sent = Partial<Parameters<typeof renewalBy>[0]>;

/** The customer's earlier payments, from none to the same subscription. */
const nothing = { customer: { status: 'lead' }, hasSubscription: false } as const;
const once = { customer: { status: 'conversion', hasPaidFor: 'payment' }, hasSubscription: false } as const;
const withoutCommission = { customer: { status: 'click', hasPaidFor: 'payment' }, hasSubscription: false } as const;
const another = { customer: { status: 'conversion', hasPaidFor: 'subscription' }, hasSubscription: false } as const;
const same = { ...another, hasSubscription: true };

const subscription = { saleType: 'subscription' } as const;
const named = { subscriptionId: 'sub_1' };
const recurring = { isRecurring: true };

describe('a sale sent by the API for a customer with earlier payments', () => {
  it.each<[string, Sent, (string | undefined)[]]>([
    // Results after: no payment, any, any without its commission, another subscription's, the same subscription's
    ['without renewal fields', {}, [undefined, undefined, undefined, undefined, undefined]],
    ['with subscription_id', named, [undefined, undefined, undefined, undefined, 'subscription_id']],
    ['with an empty subscription_id', { subscriptionId: '' }, [undefined, undefined, undefined, undefined, undefined]],
    ['after a subscription payment', subscription, [undefined, undefined, undefined, 'sale_type', 'sale_type']],
    [
      'with the subscription_id of a known subscription',
      { ...subscription, ...named },
      [undefined, undefined, undefined, undefined, 'subscription_id'],
    ],
    [
      'with sale_type recurring',
      recurring,
      [undefined, 'is_recurring', 'is_recurring', 'is_recurring', 'is_recurring'],
    ],
    [
      'with sale_type recurring after a subscription payment',
      { ...subscription, ...recurring },
      [undefined, 'is_recurring', 'is_recurring', 'sale_type', 'sale_type'],
    ],
    [
      'with sale_type recurring and the subscription_id of a known subscription',
      { ...subscription, ...named, ...recurring },
      [undefined, 'is_recurring', 'is_recurring', 'is_recurring', 'subscription_id'],
    ],
  ])(
    'is a renewal only if its sale_type says so or its subscription has been paid for before: %s',
    (_, sent, decided) => {
      expect(
        [nothing, once, withoutCommission, another, same].map((before) => renewalBy({ ...facts, ...sent }, before)),
      ).toEqual(decided);
    },
  );
});

const paidAt = new Date('2026-11-20T12:00:00.000Z');
const [before, after] = ['2026-11-20T11:59:59.000Z', '2026-11-20T12:00:01.000Z'];
const orders = ['single', 'first', 'later'] as const;

it('an invoice is a renewal if it is not the first invoice of its subscription and its customer has paid earlier', () => {
  const since = (firstPurchaseAt: string) => ({ ...once.customer, firstPurchaseAt });
  const customers = [
    nothing.customer,
    once.customer,
    withoutCommission.customer,
    since(before),
    since(paidAt.toISOString()),
    since(after),
  ];
  const decided = customers.map((customer) =>
    orders.map((order) => {
      const { renewalBy: by, wouldRenew } = withInvoiceRenewal(facts, { order, paidAt }, customer);
      return by ?? (wouldRenew ? 'once an earlier one is known' : undefined);
    }),
  );
  expect(decided).toEqual([
    [undefined, undefined, 'once an earlier one is known'],
    [undefined, undefined, 'billing_reason'],
    [undefined, undefined, 'billing_reason'],
    [undefined, undefined, 'billing_reason'],
    [undefined, undefined, 'billing_reason'],
    [undefined, undefined, 'once an earlier one is known'],
  ]);
});

it('a payment becomes the customer’s first one if it was paid earlier, or at the same time and is no renewal invoice', () => {
  const first = [undefined, before, paidAt.toISOString(), after];
  const decided = first.map((firstPurchaseAt) =>
    orders.map((order) => overtakes({ order, paidAt }, { ...once.customer, firstPurchaseAt })),
  );
  expect(decided).toEqual([
    [false, false, false],
    [false, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

it('the service’s decision whether a sale is a renewal replaces the value in the request', () => {
  expect(withRenewal({ ...facts, ...recurring }, undefined)).toEqual({ ...facts, isRecurring: false });
  expect(withRenewal(facts, 'sale_type')).toEqual({ ...facts, isRecurring: true, renewalBy: 'sale_type' });
});

it('a customer who has paid for a subscription stays a subscriber after a one-time payment', () => {
  expect(paidForWith({}, 'payment')).toBe('payment');
  expect(paidForWith({ hasPaidFor: 'payment' }, 'subscription')).toBe('subscription');
  expect(paidForWith({ hasPaidFor: 'subscription' }, 'payment')).toBe('subscription');
});

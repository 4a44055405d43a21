import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvent } from '#lib/service/conversions/stripe/read-event.ts';
import { charge, checkoutSession, dispute, subscriptionInvoice } from '#test/support/stripe/stripe.ts';

// A signature proves the sender of an event, not that it has a known format.

type Fields = Record<string, unknown>;

/** Parts of an event that cannot be stored: invalid dates and non-integer cents. */
const unstorable = (told: unknown): unknown[] => {
  if (told instanceof Date) return Number.isNaN(told.getTime()) ? [told] : [];
  if (typeof told === 'number') return Number.isSafeInteger(told) ? [] : [told];
  return typeof told === 'object' && told !== null ? Object.values(told).flatMap(unstorable) : [];
};

describe('malformed and malicious events of Stripe', () => {
  const types = fc.constantFrom(
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'payment_intent.succeeded',
    'invoice.paid',
    'invoice_payment.paid',
    'charge.refunded',
    'charge.dispute.created',
    'charge.dispute.closed',
    'account.updated',
    'account.application.deauthorized',
    'toString',
    '__proto__',
  );

  it('that are any JSON object are read or refused without an exception', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (event) => {
        expect(unstorable(readEvent(event))).toEqual([]);
      }),
    );
  });

  it('of a known type with any JSON object in them cause no exception and give only values that can be stored', () => {
    fc.assert(
      fc.property(types, fc.jsonValue(), fc.oneof(fc.maxSafeInteger(), fc.nat()), (type, object, created) => {
        expect(unstorable(readEvent({ id: 'evt_1', type, created, data: { object } }))).toEqual([]);
      }),
    );
  });

  it('that are valid except for any value in one place cause no exception', () => {
    const shapes = fc.constantFrom<[string, Fields]>(
      [
        'checkout.session.completed',
        checkoutSession('1', { metadata: { service_click_id: 'clk_1', program_id: '1' } }),
      ],
      ['invoice.paid', subscriptionInvoice('1', '2', { metadata: { service_click_id: 'clk_1' } })],
      ['charge.refunded', charge('1')],
      ['charge.dispute.created', dispute('1')],
    );
    fc.assert(
      fc.property(shapes, fc.nat(), fc.jsonValue(), ([type, object], place, value) => {
        const places = Object.keys(object);
        const broken = { ...object, [places[place % places.length]!]: value };
        expect(unstorable(readEvent({ id: 'evt_1', type, created: 1, data: { object: broken } }))).toEqual([]);
      }),
    );
  });

  it.each(['status', 'id', 'charge', 'payment_intent', 'amount'])(
    'about a dispute whose %s is an object without a text form give only values that can be stored',
    (place) => {
      const object = dispute('1', { [place]: { toString: 1, valueOf: 1 } });
      expect(
        unstorable(readEvent({ id: 'evt_1', type: 'charge.dispute.created', created: 1, data: { object } })),
      ).toEqual([]);
    },
  );
});

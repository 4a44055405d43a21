import type Stripe from 'stripe';
import { expect, expectTypeOf, it } from 'vitest';
import { type StripeEvent, stripeMetadata } from '#lib/apps/client/referral-client.ts';

it('stripeMetadata returns the metadata by which the service recognises the customer, without a program id', () => {
  expect(stripeMetadata({ clickId: 'clk_1', customerId: 'user_1' })).toEqual({
    service_click_id: 'clk_1',
    service_customer_key: 'user_1',
  });
  expect(stripeMetadata({ customerId: 7 })).toEqual({ service_customer_key: '7' });
  expect(stripeMetadata({ clickId: undefined, customerId: undefined })).toEqual({});
});

it('trackStripeEvent accepts an event that Stripe’s library has verified', () => {
  expectTypeOf<Stripe.Event>().toExtend<StripeEvent>();
  expectTypeOf(stripeMetadata({})).toExtend<Stripe.MetadataParam>();
});

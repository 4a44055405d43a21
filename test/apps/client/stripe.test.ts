import type Stripe from 'stripe';
import { expect, expectTypeOf, it } from 'vitest';
import { type StripeEvent, stripeMetadata } from '#lib/apps/client/referral-client.ts';

it('the client’s metadata for Stripe contain the customer as the service expects, and no program', () => {
  expect(stripeMetadata({ clickId: 'clk_1', customerId: 'user_1' })).toEqual({
    service_click_id: 'clk_1',
    service_customer_key: 'user_1',
  });
  expect(stripeMetadata({ customerId: 7 })).toEqual({ service_customer_key: '7' });
  expect(stripeMetadata({ clickId: undefined, customerId: undefined })).toEqual({});
});

it('the client can forward an event that Stripe’s library has verified, unchanged', () => {
  expectTypeOf<Stripe.Event>().toExtend<StripeEvent>();
  expectTypeOf(stripeMetadata({})).toExtend<Stripe.MetadataParam>();
});

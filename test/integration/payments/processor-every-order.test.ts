/** @module-tag deep */
import { describe, expect, it } from 'vitest';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { ordersOfTwice } from '#test/support/cases/orders.ts';
import { expectOneSale, nobody, refund, scenes, unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { generations } from '#test/support/payments/single-payments.ts';
import { directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests every order of the events of one payment, with each event repeated at any two positions. The API versions
// alternate; `stripe-histories.test.ts` tests the formats of each.

openProcessor();

const world = openedWorld();

describe.each(generations)(
  'in the orders of a payment’s events that are tested in Stripe’s API version %s,',
  (generation) => {
    it.each(Object.entries(scenes))(
      '%s is recorded as one sale, with a refund of half of it if the payment has fewer than three events',
      async (_, eventsOf) => {
        const brand = await directBrand(world);
        const isRefunded = eventsOf(nobody(brand), generation).length < 3;
        const orders = (person: Parameters<typeof refund>[0]) =>
          ordersOfTwice([...eventsOf(person, generation), ...(isRefunded ? [refund(person)] : [])]);
        const { length } = orders(nobody(brand));
        for (let at = generations.indexOf(generation); at < length; at += generations.length) {
          await expectOneSale(world, brand, (person) => orders(person)[at]!, isRefunded ? 2450 : 0);
        }
        await expectNothingHalfWritten(world);
        expect(await unsoldOf(world, brand, 31)).toEqual([]);
      },
    );
  },
);

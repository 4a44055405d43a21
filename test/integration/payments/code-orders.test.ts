/** @module-tag deep */
import { expect, it } from 'vitest';
import { codedScenes, expectOneSaleByCode } from '#test/support/payments/coded-payments.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { ordersOf } from '#test/support/cases/orders.ts';
import { unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Stripe delivers the events of a payment with a code in any order, and may repeat any of them.

openProcessor();

const world = openedWorld();

it.each(Object.entries(codedScenes))(
  'a payment with a promotion code is one sale in every order of its events, each delivered twice: %s',
  async (_, eventsOf) => {
    const brand = await directBrand(world);
    for (const at of ordersOf(eventsOf('nobody')).keys()) {
      await expectOneSaleByCode(world, brand, (person) => {
        const order = ordersOf(eventsOf(person))[at]!;
        // Repeats each event at once, or all of them at the end.
        return at % 2 ? [...order, ...order] : order.flatMap((event) => [event, event]);
      });
    }
    await expectNothingHalfWritten(world);
    expect(await unsoldOf(world, brand, 31)).toEqual([]);
  },
);

import { beforeEach, describe, expect, it } from 'vitest';
import { everyNth } from '#test/support/cases/cases.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { ordersOf } from '#test/support/cases/orders.ts';
import { expectOneSale, nobody, refund, scenes, unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { generations } from '#test/support/payments/single-payments.ts';
import { directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Stripe delivers the events of one payment in any order, and may repeat any of them.

openProcessor();

const world = openedWorld();
let brand: Brand;
beforeEach(async () => {
  brand = await directBrand(world);
});

for (const [index, generation] of generations.entries()) {
  describe(
    `the events of a payment, in Stripe’s API version ${generation},`,
    everyNth(generations.length, index),
    () => {
      it.each(Object.entries(scenes))('give one sale in every order, each delivered twice: %s', async (_, eventsOf) => {
        for (const at of ordersOf(eventsOf(nobody(brand), generation)).keys()) {
          await expectOneSale(world, brand, (person) => {
            const order = ordersOf(eventsOf(person, generation))[at]!;
            // Repeats each event at once, or all of them at the end.
            return at % 2 ? [...order, ...order] : order.flatMap((event) => [event, event]);
          });
        }
        await expectNothingHalfWritten(world);
        expect(await unsoldOf(world, brand, 31)).toEqual([]);
      });

      it.each(Object.entries(scenes))(
        'and a refund before, between or after them give one sale with the refund deducted: %s',
        async (_, eventsOf) => {
          const { length } = eventsOf(nobody(brand), generation);
          for (let at = 0; at <= length; at++) {
            const inOrder = (person: Parameters<typeof refund>[0]) =>
              eventsOf(person, generation).toSpliced(at, 0, refund(person));
            await expectOneSale(world, brand, inOrder, 2450);
          }
          await expectNothingHalfWritten(world);
          expect(await unsoldOf(world, brand, 31)).toEqual([]);
        },
      );
    },
  );
}

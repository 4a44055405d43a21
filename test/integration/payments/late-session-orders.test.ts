/** @module-tag deep */
import { expect, it } from 'vitest';
import { cleoOf, endStateOf, eventsOf, namings, personOf } from '#test/support/payments/clicked-and-coded.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { ordersOf } from '#test/support/cases/orders.ts';
import { renewed } from '#test/support/payments/payers.ts';
import { unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { deliver, directBrand, openProcessor, type StripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a checkout that names the click, while the invoice of the same payment has another partner's code.

openProcessor();

const world = openedWorld();

// The invoice links the payment intent, too, whose orders other tests cover.
const orders = ordersOf([0, 1, 2, 3, 5]).map((order, at) => order.toSpliced(at % 6, 0, 4));
/** Two orders for each way in which a checkout names the click, because the way does not affect the order. */
const turnOf = (turn: number) => orders.filter((_, at) => (at >> 1) % Object.keys(namings).length === turn);

it.each(Object.keys(namings).map((naming, turn) => [naming, turnOf(turn)] as const))(
  'if a checkout session names the click late, every order of events, each delivered twice, has the same result: %s',
  async (naming, portion) => {
    const brand = await directBrand(world, { commissionType: 'recurring_percent' });
    const cleo = await cleoOf(world, brand);
    const ended = async (inOrder: (events: readonly StripeEvent[]) => readonly StripeEvent[]) => {
      const person = await personOf(brand);
      await deliver(brand, ...inOrder(eventsOf(person, naming)), renewed(person.id));
      return endStateOf(world, person);
    };
    const expected = await ended((events) => events);
    expect(expected).toMatchObject({
      sale: { attribution: { partnerId: brand.partner.id, overruled: { partnerId: cleo.partner.id, by: 'code' } } },
      renewal: { commission: { partnerId: brand.partner.id } },
    });
    for (const [at, order] of portion.entries()) {
      const left = await ended((events) => {
        const told = order.map((index) => events[index]!);
        // Repeats each event at once, or all of them at the end.
        return at % 2 ? [...told, ...told] : told.flatMap((event) => [event, event]);
      });
      expect({ order, left }).toEqual({ order, left: expected });
    }
    await expectNothingHalfWritten(world);
    expect(await unsoldOf(world, brand, 31)).toEqual([]);
  },
);

import { expect } from 'vitest';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { invoiced, paid, saleOf, subscribed } from '#test/support/payments/payers.ts';
import { charge, deliver, type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// Stripe payments with a promotion code.

type Fields = Record<string, unknown>;

/** The fields of a checkout in which a person used a promotion code. */
export const discountedBy = (person: string, more: Fields = {}): Fields => ({
  discounts: [{ coupon: 'co', promotion_code: `promo_${person}` }],
  ...more,
});

/** The event that contains the text of a promotion code. */
export const codeEvent = (id: string, text = 'SAVE10', type = 'promotion_code.created'): StripeEvent =>
  stripeEvent(type, { id, object: 'promotion_code', code: text, active: true, coupon: { id: 'co' } });

/** The event that says which promotion code belongs to a discount. */
export const discountOf = (
  person: string,
  id = `di_${person}`,
  promotionCode: unknown = `promo_${person}`,
): StripeEvent =>
  stripeEvent('customer.discount.created', {
    id,
    object: 'discount',
    customer: `cus_${person}`,
    promotion_code: promotionCode,
    source: { coupon: 'co', type: 'coupon' },
  });

/** All events of one payment with the code SAVE10. */
export const codedScenes: Readonly<Record<string, (person: string) => readonly StripeEvent[]>> = {
  'a session': (id) => [codeEvent(`promo_${id}`), paid(id, discountedBy(id))],
  'a refunded session': (id) => [
    codeEvent(`promo_${id}`),
    paid(id, discountedBy(id)),
    stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })),
  ],
  'a subscription’s first payment': (id) => [
    codeEvent(`promo_${id}`),
    discountOf(id),
    subscribed(id, discountedBy(id)),
    invoiced(id, { discounts: [`di_${id}`] }),
  ],
  'an invoice without a session': (id) => [
    codeEvent(`promo_${id}`),
    discountOf(id),
    invoiced(id, { discounts: [`di_${id}`] }),
  ],
  'an invoice of an older API version': (id) => [
    codeEvent(`promo_${id}`),
    invoiced(id, { discount: { id: `di_${id}`, promotion_code: `promo_${id}` } }),
  ],
  'an invoice with amounts only': (id) => [
    codeEvent(`promo_${id}`),
    discountOf(id),
    invoiced(id, { total_discount_amounts: [{ amount: 1, discount: `di_${id}` }] }),
  ],
};

const known = new WeakMap<Brand, Promise<Awaited<ReturnType<typeof cleoWithCode>>>>();
let people = 0;

/**
 * Delivers the events of a payment with Cleo's code in the given order, and expects that they make one sale for Cleo.
 */
export async function expectOneSaleByCode(
  world: World,
  brand: Brand,
  inOrder: (person: string) => readonly StripeEvent[],
): Promise<void> {
  if (!known.has(brand)) known.set(brand, cleoWithCode(world, brand));
  const cleo = (await known.get(brand))!;
  const person = `o${++people}x`;
  const events = inOrder(person);
  await deliver(brand, ...events);
  const order = events.map(({ type }) => type);
  const found = [await saleOf(world, `cs_${person}`), await saleOf(world, `in_${person}`)];
  expect({ order, sales: found.filter((sale) => sale !== undefined) }).toMatchObject({
    order,
    sales: [
      {
        amountCents: 4900,
        refundedCents: order.includes('charge.refunded') ? 2450 : 0,
        code: 'SAVE10',
        providerPaymentId: `pi_${person}`,
        attribution: { partnerId: cleo.partner.id, resolvedBy: 'code' },
      },
    ],
  });
}

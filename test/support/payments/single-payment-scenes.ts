import { expect } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { commissionOf, customerOf, saleOf, type Visitor, visitorOf } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import {
  type Generation,
  intentPaid,
  invoicePaymentPaid,
  singleInvoicePaid,
} from '#test/support/payments/single-payments.ts';
import { charge, checkoutSession, deliver, type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

/** All events of one payment of 49.00 dollars, for each way in which it can be made. */
export const scenes: Readonly<Record<string, (person: Visitor, generation: Generation) => readonly StripeEvent[]>> = {
  'an intent': ({ id, metadata }, generation) => [intentPaid(id, metadata, { generation })],
  'a session and its intent': ({ id, metadata }, generation) => [
    stripeEvent('checkout.session.completed', checkoutSession(id, { metadata })),
    intentPaid(id, metadata, { generation }),
  ],
  'an invoice': ({ id, metadata }, generation) => [
    singleInvoicePaid(id, metadata, { generation }),
    singleInvoicePaid(id, metadata, { generation, type: 'invoice.payment_succeeded' }),
    invoicePaymentPaid(id),
  ],
  'an invoice and its intent': ({ id, metadata }, generation) => [
    singleInvoicePaid(id, metadata, { generation }),
    invoicePaymentPaid(id),
    intentPaid(id, metadata, { generation }),
  ],
  'a session and the invoice created by it': ({ id, metadata }, generation) => [
    stripeEvent('checkout.session.completed', checkoutSession(id, { metadata, invoice: `in_${id}` })),
    singleInvoicePaid(id, metadata, { generation }),
    invoicePaymentPaid(id),
  ],
  'a session that does not name its invoice': ({ id, metadata }, generation) => [
    stripeEvent('checkout.session.completed', checkoutSession(id, { metadata })),
    singleInvoicePaid(id, metadata, { generation }),
    invoicePaymentPaid(id),
  ],
};

/** The event that refunds half of the payment. */
export const refund = ({ id }: Visitor): StripeEvent =>
  stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 }));

/** Delivers the events of a new visitor's payment in the given order, and expects that they make one sale. */
export async function expectOneSale(
  world: World,
  brand: Brand,
  inOrder: (person: Visitor) => readonly StripeEvent[],
  refundedCents = 0,
): Promise<void> {
  const person = await visitorOf(brand);
  const { id, clickId } = person;
  const events = inOrder(person);
  await deliver(brand, ...events);
  const order = events.map(({ type }) => type).join(', ');
  const names = [`cs_${id}`, `pi_${id}`, `in_${id}`];
  const sales = (await Promise.all(names.map((name) => saleOf(world, name)))).filter((sale) => sale !== undefined);
  expect({ order, sales }).toMatchObject({
    order,
    sales: [
      {
        amountCents: 4900,
        refundedCents,
        currency: 'USD',
        saleType: 'payment',
        isRecurring: false,
        providerPaymentId: `pi_${id}`,
        attribution: { clickId, partnerId: brand.partner.id, resolvedBy: 'click_id' },
      },
    ],
  });
  expect(sales).toHaveLength(1);
  expect(await commissionOf(world, String(sales[0]!.transactionId))).toMatchObject({
    amountCents: 980,
    deductedCents: refundedCents / 5,
    partnerId: brand.partner.id,
  });
  expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion' });
}

/** A visitor without ids, with whom only the number of a scene's events can be found out. */
export const nobody = (brand: Brand): Visitor => ({ brand, clickId: '', id: '', metadata: { service_click_id: '' } });

/** Reads the dashboard's list of payments that became no sale. @param daysLater days after the payments arrived */
export async function unsoldOf(world: World, brand: Brand, daysLater = 0): Promise<Record<string, unknown>[]> {
  const at = new Date(NOW.getTime() + daysLater * 86_400_000);
  const owner = dashboard((await ownerOfBrand(world, brand)).token);
  return (await owner.get(`/programs/${brand.program.id}/processor/payments`, { at })).body.data;
}

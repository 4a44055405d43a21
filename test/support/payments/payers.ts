import { clicked } from '#test/support/payments/lives/journeys.ts';
import {
  checkoutSession,
  deliver,
  directBrand,
  type StripeEvent,
  stripeEvent,
  subscriptionInvoice,
} from '#test/support/stripe/stripe.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// Visitors who came through a link and pay through Stripe.

type Fields = Record<string, unknown>;

let people = 0;

export interface Visitor {
  readonly brand: Brand;
  readonly clickId: string;
  /** A text that is part of every id from Stripe, unique for each visitor. */
  readonly id: string;
  readonly metadata: { readonly service_click_id: string };
}

/** Creates a brand whose program has its own Stripe endpoint, and its first visitor. */
export async function visitor(world: World, settings: Parameters<World['brand']>[0] = {}): Promise<Visitor> {
  return visitorOf(await directBrand(world, settings));
}

export async function visitorOf(brand: Brand, options: Parameters<typeof clicked>[1] = {}): Promise<Visitor> {
  const clickId = await clicked(brand, options);
  people += 1;
  return { brand, clickId, id: `p${people}x`, metadata: { service_click_id: clickId } };
}

const itemOf = async (world: World, pk: string, wanted: string): Promise<Fields | undefined> =>
  (await world.items(pk)).find(({ sk }) => sk === wanted);

export const saleOf = (world: World, transactionId: string) => itemOf(world, `SALE#${transactionId}`, 'SALE');
export const commissionOf = (world: World, transactionId: string) =>
  itemOf(world, `SALE#${transactionId}`, 'COMMISSION');
export const customerOf = (world: World, clickId: string) => itemOf(world, `CUSTOMER#${clickId}`, 'CUSTOMER');
export const leadOf = (world: World, clickId: string) => itemOf(world, `CUSTOMER#${clickId}`, 'LEAD');

export const refundedCentsOf = async (world: World, transactionId: string) =>
  (await saleOf(world, transactionId))?.refundedCents;

/** Creates a visitor who has paid 49.00 dollars in a single payment. */
export async function buyer(world: World): Promise<Visitor> {
  const person = await visitor(world);
  await deliver(person.brand, paid(person.id, { metadata: person.metadata }));
  return person;
}

/** The event of a checkout with a single payment. */
export const paid = (id: string, more: Fields = {}): StripeEvent =>
  stripeEvent('checkout.session.completed', checkoutSession(id, more));

/** The event of a checkout that begins a subscription. */
export const subscribed = (id: string, more: Fields = {}): StripeEvent =>
  paid(id, {
    mode: 'subscription',
    payment_intent: null,
    invoice: `in_${id}`,
    subscription: `sub_${id}`,
    ...more,
  });

/** The event of a subscription's first invoice. */
export const invoiced = (id: string, more: Fields = {}, type = 'invoice.paid'): StripeEvent =>
  stripeEvent(type, subscriptionInvoice(id, id, { billing_reason: 'subscription_create', ...more }));

/** The event of a later invoice of a subscription. */
export const renewed = (id: string, more: Parameters<typeof subscriptionInvoice>[2] = {}): StripeEvent =>
  stripeEvent('invoice.payment_succeeded', subscriptionInvoice(`${id}r`, id, more));

import { expect } from 'vitest';
import { handler as refundCall } from '#functions/track/refund.ts';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { codeEvent, discountOf } from '#test/support/payments/coded-payments.ts';
import { HOLD_OVER } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { commissionOf, customerOf, invoiced, saleOf, subscribed } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { invoicePaymentPaid } from '#test/support/payments/single-payments.ts';
import { charge, deliver, directBrand, type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// The first payment of a subscription, in which two partners are involved: the checkout names the click that came
// through one partner's link, and only the invoice names the other partner's coupon code.

type Fields = Record<string, unknown>;

let people = 0;

export interface Person {
  readonly brand: Brand;
  readonly clickId: string;
  /** A text that is part of every id from the processor. */
  readonly id: string;
  readonly customerKey: string;
}

/** Creates a person who came through the link of the brand's partner. */
export async function personOf(brand: Brand, options: Parameters<typeof clicked>[1] = {}): Promise<Person> {
  const clickId = await clicked(brand, options);
  const id = `l${++people}x`;
  return { brand, clickId, id, customerKey: `user_${id}` };
}

/** How a checkout can name the click. */
export const namings: Readonly<Record<string, (person: Person) => Fields>> = {
  'its metadata': ({ clickId, customerKey }) => ({
    metadata: { service_click_id: clickId, service_customer_key: customerKey },
  }),
  'a Payment Link': ({ clickId }) => ({ client_reference_id: clickId }),
};

export const sessionOf = (person: Person, more: Fields = namings['its metadata']!(person)): StripeEvent =>
  subscribed(person.id, more);

/** The event of the invoice. The metadata of its subscription contain the customer key. */
export const invoiceOf = ({ id, customerKey }: Person, more: Fields = {}): StripeEvent =>
  invoiced(id, { discounts: [`di_${id}`], metadata: { service_customer_key: customerKey }, ...more });

export const refundHalf = ({ id }: Person): StripeEvent =>
  stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 }));

/** The events from which the service knows the invoice's code. */
const codeEvents = ({ id }: Person): readonly StripeEvent[] => [codeEvent(`promo_${id}`), discountOf(id)];

/** All events about the payment. */
export const eventsOf = (person: Person, naming: keyof typeof namings): readonly StripeEvent[] => [
  ...codeEvents(person),
  sessionOf(person, namings[naming]!(person)),
  invoiceOf(person),
  invoicePaymentPaid(person.id),
  refundHalf(person),
];

const known = new WeakMap<Brand, ReturnType<typeof cleoWithCode>>();

/** Creates the partner Cleo, whose code is SAVE10. */
export function cleoOf(world: World, brand: Brand): ReturnType<typeof cleoWithCode> {
  const cleo = known.get(brand) ?? cleoWithCode(world, brand);
  known.set(brand, cleo);
  return cleo;
}

/** Reads all items of the payment. Customers and names differ from person to person. */
async function leftOf(world: World, { brand, clickId, id, customerKey }: Person) {
  const { sale, commission, refunds } = await saleItems(world, `in_${id}`);
  const [payer] = await world.items(`PAYER#${brand.program.id}#cus_${id}`);
  return {
    sale,
    commission,
    refunds,
    customer: await customerOf(world, clickId),
    payer: payer?.clickId,
    payerOf: (await world.items(`CUSTOMER#${clickId}`)).filter(({ sk }) => String(sk).startsWith('PAYER#')).length,
    keyed: (await world.items(`KEY#${customerKey}`))[0],
    session: await saleOf(world, `cs_${id}`),
    renewal: { sale: await saleOf(world, `in_${id}r`), commission: await commissionOf(world, `in_${id}r`) },
  };
}

/** Delivers the invoice first, so that the sale is assigned to the partner whose code it names. */
export const sellByCode = (person: Person) => deliver(person.brand, ...codeEvents(person), invoiceOf(person));

/** Delivers the checkout, which names the click. */
export const nameClick = (person: Person) => deliver(person.brand, sessionOf(person));

/** Expects that the sale, and everything that belongs to it, is assigned to the partner of the click. */
export async function expectMoved(world: World, person: Person): Promise<void> {
  const { sale, commission, refunds, customer, payer } = await leftOf(world, person);
  const { partner, shortLink } = person.brand;
  const named = { partnerId: partner.id, clickId: person.clickId, shortLink };
  expect(sale).toMatchObject({ attribution: { ...named, resolvedBy: 'click_id', identifier: person.clickId } });
  expect(commission).toMatchObject({ ...named, amountCents: 980 });
  for (const each of refunds) expect(each).toMatchObject(named);
  expect(refunds.reduce((sum, { deductionCents }) => sum + Number(deductionCents), 0)).toBe(commission!.deductedCents);
  const gsi2pk = `PARTNER#${person.brand.program.id}#${partner.id}#CUSTOMERS`;
  expect(customer).toMatchObject({ status: 'conversion', partnerId: partner.id, gsi2pk });
  expect(payer).toBe(person.clickId);
}

/** Whether the value of a field depends on the order of events: ids, index keys, histories, and the former partner. */
const isOfOrder = (field: string): boolean => /^(?:id|sk|saleId|commissionId|gsi.*|history|movedFrom)$/.test(field);

/**
 * Removes the milliseconds of times: changes of the same moment get times a millisecond apart, in the order of arrival.
 */
const momentOf = (text: string): string => text.replaceAll(/(T\d\d:\d\d:\d\d)\.\d{3}Z/g, '$1Z');

/** Reads the final state, without values that depend on the order of events or on the person. */
export async function endStateOf(world: World, person: Person): Promise<unknown> {
  const { clickId, id, customerKey } = person;
  const { sale, commission, ...left } = await leftOf(world, person);
  const unversioned = { ...left, sale: { ...sale, version: 0 }, commission: { ...commission, version: 0 } };
  const text = JSON.stringify(unversioned, (field, value: unknown) => (isOfOrder(field) ? undefined : value));
  return JSON.parse(momentOf(text).replaceAll(clickId, 'click').replaceAll(customerKey, 'key').replaceAll(id, 'name'));
}

/**
 * Creates a program in which the partner Cleo has a code, and a person who came through another partner's link and will
 * pay with Cleo's code.
 */
export async function codedScene(world: World, settings: Parameters<World['brand']>[0] = {}) {
  const brand = await directBrand(world, settings);
  const cleo = await cleoOf(world, brand);
  const owner = dashboard((await ownerOfBrand(world, brand)).token);
  const program = `/programs/${brand.program.id}`;
  const left = () => leftOf(world, scene.person);
  const scene = {
    brand,
    cleo,
    owner,
    program,
    person: await personOf(brand),
    /** Replaces the person by another one. */
    next: async () => {
      scene.person = await personOf(brand);
    },
    get transactionId() {
      return `in_${scene.person.id}`;
    },
    left,
    refund: (cents: number, at = NOW) =>
      send(refundCall, {
        key: brand.key,
        body: { transaction_id: scene.transactionId, refund_amount_cents: cents },
        at,
      }),
    payOut: () => owner.post(`${program}/payouts`, {}, { at: HOLD_OVER }),
    /** Returns the click id of the customer that the code created. */
    madeOf: async () => String(((await left()).sale.attribution as Fields).clickId),
    commissionPath: async () => `${program}/commissions/${String((await left()).commission!.id)}`,
  };
  return scene;
}

export type CodedScene = Awaited<ReturnType<typeof codedScene>>;

import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { changeProgram, sold } from '#test/support/payments/lives/journeys.ts';
import { ordersOf, ordersOfTwice } from '#test/support/cases/orders.ts';
import { type Visitor, visitor, visitorOf } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { invoicePaymentPaid } from '#test/support/payments/single-payments.ts';
import { deliver, directBrand, openProcessor, type StripeEvent } from '#test/support/stripe/stripe.ts';
import {
  EXCLUDING_TAX,
  invoicePaid,
  netCommission,
  netSale,
  refundOf,
  sessionPaid,
  soldBy,
  type TaxGeneration,
  taxGenerations,
  untaxedIntent,
} from '#test/support/payments/taxed-payments.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

openProcessor();

const world = openedWorld();

/** All events of one payment. */
const scenes: Readonly<Record<string, (person: Visitor, generation: TaxGeneration) => readonly StripeEvent[]>> = {
  'an intent and its session': (person) => [untaxedIntent(person), sessionPaid(person)],
  'an invoice and its intent': (person, generation) => [
    invoicePaid(person, { generation }),
    invoicePaymentPaid(person.id),
    untaxedIntent(person),
  ],
  'an intent, its session and the invoice created by it': (person, generation) => [
    untaxedIntent(person),
    sessionPaid(person, { invoice: `in_${person.id}` }),
    invoicePaid(person, { generation }),
  ],
  'an intent, an invoice and a refund': (person, generation) => [
    untaxedIntent(person),
    invoicePaid(person, { generation }),
    invoicePaymentPaid(person.id),
    refundOf(person),
  ],
  'a subscription and a refund': (person, generation) => [
    sessionPaid(person, {
      mode: 'subscription',
      payment_intent: null,
      invoice: `in_${person.id}`,
      subscription: `sub_${person.id}`,
    }),
    invoicePaid(person, { generation, subscription: `sub_${person.id}` }),
    invoicePaymentPaid(person.id),
    refundOf(person),
  ],
};

/** Delivers the events of a payment in this order. @returns the final state */
async function endOf(brand: Brand, inOrder: (person: Visitor) => readonly StripeEvent[]) {
  const person = await visitorOf(brand);
  const events = inOrder(person);
  await deliver(person.brand, ...events);
  return { order: events.map(({ type }) => type), ...(await soldBy(world, person)) };
}

const newest = taxGenerations.at(-1);

describe.each(Object.entries(scenes))('the events of %s', (_, events) => {
  describe.each(taxGenerations)('in the API version %s', (generation) => {
    const nobody = { clickId: '', id: '', metadata: { service_click_id: '' } } as Visitor;
    const places = events(nobody, generation).map((__, place) => place);
    const orders = ordersOf(places);
    let brand: Brand;
    beforeEach(async () => {
      brand = await directBrand(world, EXCLUDING_TAX);
    });
    const ends = (inOrder: readonly number[]) =>
      endOf(brand, (person) => {
        const all = events(person, generation);
        return inOrder.map((place) => all[place]!);
      });
    const isRefunded = events(nobody, generation).some(({ type }) => type === 'charge.refunded');
    const expected = {
      sale: { ...netSale, refundedCents: isRefunded ? 5950 : 0, commissionState: 'created' },
      commission: { ...netCommission, deductedCents: isRefunded ? 1000 : 0, status: 'pending' },
      refunds: isRefunded ? [{ amountCents: 5950, deductionCents: 1000, feeReductionCents: 209 }] : [],
    };

    const tags = generation === newest ? [] : ['deep'];
    it('give the same tax, base amount and commission in every order of delivery', { tags }, async () => {
      for (const order of orders) expect(await ends(order)).toMatchObject(expected);
    });

    it.runIf(generation === newest)(
      'give the same result when each event is delivered twice',
      { tags: 'deep', timeout: 600_000 },
      async () => {
        const twice = places.length > 3 ? orders.map((order) => [...order, ...order]) : ordersOfTwice(places);
        for (const order of twice) expect(await ends(order)).toMatchObject(expected);
      },
    );
  });
});

describe('the tax that Stripe reports', () => {
  let person: Visitor;
  beforeEach(async () => {
    person = await visitor(world, EXCLUDING_TAX);
  });

  it('is stored with the sale from the beginning if the event of the payment contains it', async () => {
    await deliver(person.brand, sessionPaid(person));
    const { sale, commission } = await soldBy(world, person);
    expect(sale).toMatchObject(netSale);
    expect(commission).toMatchObject({ ...netCommission, history: [{ action: 'created', amountCents: 2000 }] });
  });

  it('does not change once it is stored, even if later events report another amount', async () => {
    await deliver(person.brand, untaxedIntent(person), sessionPaid(person));
    const before = await soldBy(world, person);
    await deliver(person.brand, sessionPaid(person, { total_details: { amount_tax: 500 } }));
    expect(await soldBy(world, person)).toEqual(before);
  });

  it('is scaled to the sale’s amount if Stripe reports it for another amount of the same payment', async () => {
    await deliver(person.brand, untaxedIntent(person, { amount_received: 5950 }), sessionPaid(person));
    expect((await soldBy(world, person)).sale).toMatchObject({ amountCents: 5950, taxCents: 950, baseCents: 5000 });
  });

  it('is ignored if it is in another currency than the sale', async () => {
    await deliver(person.brand, untaxedIntent(person), sessionPaid(person, { currency: 'eur' }));
    expect((await soldBy(world, person)).sale).not.toHaveProperty('taxCents');
  });

  it('is stored even if it is zero, and then changes no commission', async () => {
    await deliver(person.brand, untaxedIntent(person));
    const { sale, commission } = await soldBy(world, person);
    await deliver(person.brand, sessionPaid(person, { total_details: { amount_tax: 0 } }));
    expect(await soldBy(world, person)).toEqual({ sale: { ...sale, taxCents: 0 }, commission, refunds: [] });
  });

  it('is taken, for a sale that the API recorded, from the event whose id is the sale’s transaction id', async () => {
    const { brand, clickId, id } = person;
    await sold(brand, { transaction_id: `cs_${id}`, click_id: clickId, amount_cents: 11_900 });
    await deliver(brand, sessionPaid(person));
    expect(await soldBy(world, person)).toMatchObject({
      sale: { ...netSale, source: 'api' },
      commission: netCommission,
    });
  });

  it('is stored for a test payment', async () => {
    await deliver(person.brand, { ...untaxedIntent(person), livemode: false });
    await deliver(person.brand, { ...sessionPaid(person), livemode: false });
    expect((await soldBy(world, person)).sale).toMatchObject({ isTest: true, taxCents: 1900 });
  });

  it('is unknown for an invoice whose customer was erased while the invoice waited for its payment intent', async () => {
    const { brand, id } = person;
    const event = invoicePaid(person, { generation: 'since 2025-09-30' });
    await deliver(brand, event, untaxedIntent(person));
    await world
      .deps()
      .table.update(keys.unattributedPayment(brand.program.id, sha256(event.id)), { set: { kept: undefined } });
    await deliver(brand, invoicePaymentPaid(id));
    expect((await soldBy(world, person)).sale).not.toHaveProperty('taxCents');
  });

  it('is stored with a payment that an owner retries later', async () => {
    const { brand } = person;
    const event = sessionPaid(person);
    await changeProgram(world, brand, { removedPartnerIds: [brand.partner.id] });
    await deliver(brand, event);
    await changeProgram(world, brand, { removedPartnerIds: [] });
    const owner = dashboard((await ownerOfBrand(world, brand)).token);
    const reply = await owner.post(`/programs/${brand.program.id}/processor/payments/${event.id}/retry`);
    expect(reply.body.data).toEqual({ recorded: true, reason: null });
    expect(await soldBy(world, person)).toMatchObject({ sale: netSale, commission: netCommission });
  });
});

it('a program whose commissions include tax stores the reported tax, and its commissions do not change', async () => {
  const person = await visitor(world);
  await deliver(person.brand, untaxedIntent(person));
  const before = await soldBy(world, person);
  await deliver(person.brand, sessionPaid(person));
  expect(await soldBy(world, person)).toEqual({ ...before, sale: { ...before.sale, taxCents: 1900 } });
});

it('a fixed commission keeps its amount when tax is deducted, and only its base amount changes', async () => {
  const fixed = { ...EXCLUDING_TAX, commissionType: 'fixed', commissionRate: 5 } as const;
  const person = await visitor(world, fixed);
  await deliver(person.brand, untaxedIntent(person), sessionPaid(person));
  expect((await soldBy(world, person)).commission).toMatchObject({ baseAmountCents: 10_000, amountCents: 500 });
});

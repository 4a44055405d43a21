import { beforeAll, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { expectNothingHalfWritten, leftBehind } from '#test/support/table/invariants.ts';
import { ordersOf } from '#test/support/cases/orders.ts';
import { commissionOf, renewed, saleOf, type Visitor, visitorOf } from '#test/support/payments/payers.ts';
import { send, type TestReply } from '#test/support/callers/request.ts';
import { intentPaid, invoicePaymentPaid } from '#test/support/payments/single-payments.ts';
import { deliver, directBrand, openProcessor, type StripeEvent } from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// Tests of two records of one payment: the first becomes the sale, and the second adds what only it contains.

openProcessor();

let world: World;
let brand: Brand;
beforeAll(async () => {
  world = await openWorld();
  // A sale of 49.00 with a tax of 9.00 has a commission of 8.00.
  brand = await directBrand(world, { commissionBase: 'excluding_tax' });
});

const sell = ({ clickId }: Visitor, body: object): Promise<TestReply> =>
  send(sale, { key: brand.key, body: { amount_cents: 4900, click_id: clickId, ...body } });

const invoice = ({ id, metadata }: Visitor, more: object): StripeEvent =>
  renewed(id, { id: `in_${id}`, metadata, payments: undefined, ...more });
const taxed = { total: 4900, total_taxes: [{ amount: 900 }] };

interface Records {
  readonly calls: (person: Visitor) => Readonly<Record<string, object>>;
  readonly events: (person: Visitor) => Readonly<Record<string, StripeEvent>>;
}

const cases: Readonly<Record<string, Records>> = {
  'an invoice with its tax and a call without it, linked by a third event': {
    calls: ({ id }) => ({ call: { transaction_id: `pi_${id}` } }),
    events: (person) => ({ invoice: invoice(person, taxed), connection: invoicePaymentPaid(person.id) }),
  },
  'an invoice without a tax and a call with it, linked by a third event': {
    calls: ({ id }) => ({ call: { transaction_id: `pi_${id}`, tax_cents: 900 } }),
    events: (person) => ({ invoice: invoice(person, {}), connection: invoicePaymentPaid(person.id) }),
  },
  'an intent without a tax and a call with it': {
    calls: ({ id }) => ({ call: { transaction_id: `order_${id}`, provider_payment_id: `pi_${id}`, tax_cents: 900 } }),
    events: ({ id, metadata }) => ({ intent: intentPaid(id, metadata) }),
  },
  'two calls, one of them with the tax': {
    calls: ({ id }) => ({
      one: { transaction_id: `pi_${id}` },
      other: { transaction_id: `order_${id}`, provider_payment_id: `pi_${id}`, tax_cents: 900 },
    }),
    events: () => ({}),
  },
};

/** The number of a payment's counted records, with the tax and the commission. */
async function outcome({ id }: Visitor) {
  const found = await Promise.all([`in_${id}`, `pi_${id}`, `order_${id}`].map((name) => saleOf(world, name)));
  const counting = found.filter((one) => one !== undefined && one.duplicateOf === undefined);
  const commissions = await Promise.all(counting.map((one) => commissionOf(world, String(one!.transactionId))));
  return {
    sales: counting.length,
    tax: counting.map((one) => one!.taxCents),
    commission: commissions.map((one) => one?.amountCents),
  };
}

describe.each(Object.entries(cases))('one payment that is reported by %s', (_, { calls, events }) => {
  it('earns a commission on the amount without tax, in every order of the reports', async () => {
    const nobody: Visitor = { brand, id: '', clickId: '', metadata: { service_click_id: '' } };
    for (const order of ordersOf([...Object.keys(calls(nobody)), ...Object.keys(events(nobody))])) {
      const person = await visitorOf(brand);
      for (const name of order) {
        const body = calls(person)[name];
        await (body ? sell(person, body) : deliver(brand, events(person)[name]!));
      }
      expect({ order, ...(await outcome(person)) }).toEqual({ order, sales: 1, tax: [900], commission: [800] });
    }
    await expectNothingHalfWritten(world);
  });
});

it('the tax in an API call is ignored if its amount differs from that of Stripe’s event', async () => {
  const person = await visitorOf(brand);
  await deliver(brand, intentPaid(person.id, person.metadata));
  const other = { amount_cents: 9800, tax_cents: 900 };
  expect((await sell(person, { transaction_id: `pi_${person.id}`, ...other })).status).toBe(409);
  expect(await outcome(person)).toEqual({ sales: 1, tax: [undefined], commission: [980] });
});

describe('the transaction id of an API call that reports a payment after Stripe’s event', () => {
  it('finds the event’s sale from then on, also if a later call sends only this id', async () => {
    const person = await visitorOf(brand);
    const { id, metadata } = person;
    await deliver(brand, intentPaid(id, metadata));
    const own = { transaction_id: `order_${id}` };
    const named = { ...own, provider_payment_id: `pi_${id}` };
    const { id: saleId } = (await saleOf(world, `pi_${id}`))!;
    const duplicate = codedError(
      409,
      'duplicate_transaction',
      'Duplicate transaction_id. This sale has already been recorded.',
      { sale_id: saleId, own: true },
    );
    for (const body of [named, named, own]) expect((await sell(person, body)).body).toEqual(duplicate);
    const again = await leftBehind(world, () => sell(person, named));
    expect(again.filter(({ pk }) => !String(pk).startsWith('WINDOW#'))).toEqual([]);
    const { body } = await send(refund, { key: brand.key, body: own });
    expect(body).toMatchObject({ status: 'reversed', sale_id: saleId });
    expect(await outcome(person)).toMatchObject({ sales: 1 });
  });
});

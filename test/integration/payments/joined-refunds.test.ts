import { beforeEach, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { opened } from '#test/support/cases/opened.ts';
import { ordersOf } from '#test/support/cases/orders.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { commissionOf, saleOf, type Visitor, visitorOf } from '#test/support/payments/payers.ts';
import { send } from '#test/support/callers/request.ts';
import { invoicePaymentPaid } from '#test/support/payments/single-payments.ts';
import { deliver, directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Refunds with ids of a payment that has two records, until an event says that they are one payment.

openProcessor();

const world = openedWorld();
const brand = opened(() => directBrand(world), beforeEach);

/** A person whose payment of 49.00 the brand's server has sent twice, by its invoice and by its payment intent. */
async function soldTwice(): Promise<Visitor> {
  const person = await visitorOf(brand);
  for (const id of [`in_${person.id}`, `pi_${person.id}`]) {
    const body = { amount_cents: 4900, click_id: person.clickId, transaction_id: id };
    expect((await send(sale, { key: brand.key, body })).status).toBe(200);
  }
  return person;
}

const give = async (id: string, body: object) =>
  (await send(refund, { key: brand.key, body: { transaction_id: id, ...body } })).body;
const join = ({ id }: Visitor) => deliver(brand, invoicePaymentPaid(id));

/** What is refunded of the payment, and deducted from its commission of 9.80. */
async function outcome({ id }: Visitor) {
  const [first, second] = await Promise.all([saleOf(world, `in_${id}`), saleOf(world, `pi_${id}`)]);
  expect(second).toMatchObject({ duplicateOf: `in_${id}`, refundedCents: 4900 });
  return { refunded: first!.refundedCents, deducted: (await commissionOf(world, `in_${id}`))!.deductedCents };
}

describe('refunds with ids of two records of one payment', () => {
  const calls = {
    one: ({ id }: Visitor) => give(`in_${id}`, { refund_id: 're_1', refund_amount_cents: 1000 }),
    two: ({ id }: Visitor) => give(`pi_${id}`, { refund_id: 're_2', refund_amount_cents: 500 }),
    three: ({ id }: Visitor) => give(`pi_${id}`, { refund_id: 're_3', refund_amount_cents: 300 }),
  };
  const orders = ordersOf(['one', 'two', 'three', 'join'] as const).filter(
    (order) => order.indexOf('two') < order.indexOf('three'),
  );

  it.each(orders)('count once each, and can still be corrected, in the order %s, %s, %s, %s', async (...order) => {
    const person = await soldTwice();
    for (const name of order) await (name === 'join' ? join(person) : calls[name](person));
    expect(await outcome(person)).toEqual({ refunded: 1800, deducted: 360 });
    for (const call of Object.values(calls)) {
      expect(await call(person)).toMatchObject({ status: 'skipped', reason: 'already refunded' });
    }
    await give(`in_${person.id}`, { refund_id: 're_2', refund_amount_cents: 0, correction: true });
    expect(await outcome(person)).toEqual({ refunded: 1300, deducted: 260 });
    await expectNothingHalfWritten(world);
  });

  it('count once each if they arrive at the same moment as the event that connects the records', async () => {
    for (let n = 0; n < 8; n++) {
      const person = await soldTwice();
      const both = (id: string) => give(`${id}_${person.id}`, { refund_id: 're_4', refund_amount_cents: 200 });
      await Promise.all([join(person), ...Object.values(calls).map((call) => call(person)), both('in'), both('pi')]);
      await join(person);
      expect(await outcome(person)).toEqual({ refunded: 2000, deducted: 400 });
    }
    await expectNothingHalfWritten(world);
  });

  it('count once if both records got the same id', async () => {
    const person = await soldTwice();
    await calls.one(person);
    await give(`pi_${person.id}`, { refund_id: 're_1', refund_amount_cents: 1000 });
    await join(person);
    expect(await outcome(person)).toEqual({ refunded: 1000, deducted: 200 });
  });

  it('are all kept, also if they are too many for one transaction', async () => {
    const person = await soldTwice();
    for (let n = 0; n < 60; n++) {
      await give(`pi_${person.id}`, { refund_id: `re_${n}`, refund_amount_cents: 10 });
    }
    await join(person);
    expect(await outcome(person)).toEqual({ refunded: 600, deducted: 120 });
  });

  it('stay lowered by a correction of their total', async () => {
    const person = await soldTwice();
    await calls.one(person);
    await calls.two(person);
    await give(`pi_${person.id}`, { refund_amount_cents: 200, correction: true });
    await join(person);
    expect(await outcome(person)).toEqual({ refunded: 1200, deducted: 240 });
  });
});

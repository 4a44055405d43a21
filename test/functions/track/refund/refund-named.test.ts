import { describe, expect, it } from 'vitest';
import { handler } from '#functions/track/refund.ts';
import { handler as sell } from '#functions/track/sale.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { failing, replyLost, sentAgain } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { momentsAfter } from '#test/support/table/moments.ts';
import { buyer } from '#test/support/payments/payers.ts';
import { send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { charge, deliver, dispute, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of refunds with a refund_id, and of corrections. A sale of 4900 pays 980 at 20 percent.

openProcessor();

const world = openedWorld();

const LATER = new Date('2026-12-01T09:00:00.000Z');
const at = LATER.toISOString();

let sales = 0;
/** A sale of a new brand, with functions that refund it. */
async function soldOne() {
  const brand = await world.brand();
  const id = `named ${++sales}`;
  const { sale_id, commission_id } = await soldTo(brand, 'u1', { transaction_id: id });
  return { brand, id, ids: { sale_id, commission_id }, ...callsOf(brand, id) };
}

function callsOf(brand: Brand, id: string) {
  const call = (body: object) => send(handler, { key: brand.key, body: { transaction_id: id, ...body }, at: LATER });
  return {
    call,
    named: (refundId: string, cents: number, more: object = {}) =>
      call({ refund_id: refundId, refund_amount_cents: cents, ...more }),
    total: (cents: number, more: object = {}) => call({ refund_amount_cents: cents, ...more }),
  };
}

const corrected = { correction: true };
const skipped = (ids: object, reason = 'already refunded') => ({
  success: true,
  status: 'skipped',
  ...ids,
  reason,
  message: 'Refund already recorded',
});

describe('a refund that has its own refund_id', () => {
  it('counts once under its id, adds to refunds with other ids, and is stored as its own item', async () => {
    const { id, ids, named } = await soldOne();
    const refunded = { success: true, status: 'refunded', ...ids, message: 'Commission reduced' };
    expect((await named('re_1', 1000)).body).toEqual({
      ...refunded,
      refunded_amount_cents: 1000,
      deduction_cents: 200,
    });
    const before = await world.items(`SALE#${id}`);
    expect((await named('re_1', 1000)).body).toEqual(skipped(ids));
    expect(await world.items(`SALE#${id}`)).toEqual(before);
    expect((await named('re_2', 1450, { reason: 'chargeback' })).body).toEqual({
      ...refunded,
      refunded_amount_cents: 2450,
      deduction_cents: 290,
      reason: 'chargeback',
    });
    const pk = `SALE#${id}`;
    expect((await world.items(pk)).filter(({ sk }) => String(sk).startsWith('REFUND_ID#'))).toEqual(
      [
        { pk, sk: `REFUND_ID#${sha256('re_1')}`, amountCents: 1000, reason: 'refund' },
        { pk, sk: `REFUND_ID#${sha256('re_2')}`, amountCents: 1450, reason: 'chargeback' },
      ].toSorted((a, b) => (a.sk < b.sk ? -1 : 1)),
    );
    const { sale, refunds } = await saleItems(world, id);
    expect(sale).toMatchObject({
      refundedCents: 2450,
      reversals: { apiCents: 0, namedCents: 2450, charges: {}, disputes: {} },
    });
    expect(refunds.map(({ amountCents }) => amountCents)).toEqual([1000, 1450]);
  });

  it('can have any id of up to 255 characters', async () => {
    const { named, ids } = await soldOne();
    for (const refundId of ['\u{1f4b8}'.repeat(127), ' ', 'x'.repeat(255), '\ud800']) {
      expect((await named(refundId, 10)).body).toMatchObject({ status: 'refunded' });
      expect((await named(refundId, 10)).body).toEqual(skipped(ids));
    }
  });

  it('deducts, together with other refunds, no more than the whole sale', async () => {
    const { id, named } = await soldOne();
    await named('re_1', 3000);
    expect((await named('re_2', 3000)).body).toMatchObject({
      status: 'reversed',
      refunded_amount_cents: 4900,
      deduction_cents: 380,
    });
    expect((await saleItems(world, id)).refunds.map(({ amountCents }) => amountCents)).toEqual([3000, 1900]);
  });

  it('is stored for a sale without a commission', async () => {
    const brand = await world.brand();
    const id = `named ${++sales}`;
    const testSale = { transaction_id: id, amount_cents: 4900, additional_data: { test_mode: true } };
    const { eventId } = (await send(sell, { key: brand.key, body: testSale })).body.data;
    const { named, total } = callsOf(brand, id);
    const none = {
      success: true,
      status: 'no_commission',
      sale_id: eventId,
      commission_id: null,
      message: 'Sale has no commission to reverse',
    };
    for (const reply of [await named('re_1', 1000), await named('re_2', 1000)]) expect(reply.body).toEqual(none);
    expect((await saleItems(world, id)).sale).toMatchObject({ refundedCents: 2000 });
    expect((await total(500, corrected)).body).toEqual(none);
    expect((await saleItems(world, id)).sale).toMatchObject({ refundedCents: 500 });
  });

  it('is stored for a sale whose commission was rejected', async () => {
    const own = await ownedBrand(world);
    const id = `named ${++sales}`;
    const { sale_id, commission_id } = await soldTo(own, 'u1', { transaction_id: id });
    const ids = { sale_id, commission_id };
    const { named, total } = callsOf(own, id);
    await own.owner.post(`${own.path}/commissions/${commission_id}/reject`, { reason: 'Own purchase' });
    const rejected = {
      ...skipped(ids, 'commission rejected'),
      message: 'Refund recorded; the commission was rejected before, so nothing is deducted',
    };
    for (const reply of [await named('re_1', 1000), await named('re_2', 1000)]) expect(reply.body).toEqual(rejected);
    expect((await total(500, corrected)).body).toEqual(rejected);
    const { sale, commission } = await saleItems(world, id);
    expect(sale).toMatchObject({ refundedCents: 500 });
    expect(commission).toMatchObject({ deductedCents: 0, refundState: 'none' });
  });
});

describe('a call that corrects refunds, with correction: true,', () => {
  it('takes back a full refund: the commission has its former status and amount again', async () => {
    const { id, ids, call, total } = await soldOne();
    const before = await saleItems(world, id);
    await call({});
    expect(await total(0, { ...corrected, refund_reason: 'A mistake' })).toMatchObject({
      status: 200,
      body: {
        success: true,
        status: 'corrected',
        ...ids,
        refunded_amount_cents: 0,
        deduction_cents: -980,
        message: 'Refund corrected',
      },
    });
    const after = await saleItems(world, id);
    expect(after.sale).toEqual({
      ...before.sale,
      reversals: { apiCents: 0, charges: {}, disputes: {} },
      changedAt: momentsAfter(new Date(at), 1),
      version: 3,
    });
    expect(after.commission).toEqual({
      ...before.commission,
      history: [
        ...(before.commission!.history as object[]),
        {
          at,
          actor: 'api',
          action: 'reversed',
          from: 'pending',
          to: 'reversed',
          amountCents: 980,
          reason: 'refund',
        },
        {
          at: momentsAfter(new Date(at), 1),
          actor: 'api',
          action: 'corrected',
          from: 'reversed',
          to: 'pending',
          amountCents: -980,
          reason: 'correction',
        },
      ],
      version: 3,
    });
    expect(after.refunds[1]).toMatchObject({
      reason: 'correction',
      refundReason: 'A mistake',
      amountCents: -4900,
      refundedCents: 0,
      deductionCents: -980,
      feeReductionCents: -172,
    });
    const items = await world.items(`SALE#${id}`);
    expect((await total(0, corrected)).body).toEqual(skipped(ids));
    expect(await world.items(`SALE#${id}`)).toEqual(items);
  });

  it('takes back a dispute that the brand has won, if it names the dispute’s refund_id', async () => {
    const { id, ids, named } = await soldOne();
    await named('re_1', 1000);
    await named('dp_1', 3900, { reason: 'chargeback' });
    expect((await saleItems(world, id)).commission).toMatchObject({ status: 'reversed', reversalReason: 'chargeback' });
    expect((await named('dp_1', 0, corrected)).body).toMatchObject({
      status: 'corrected',
      refunded_amount_cents: 1000,
      deduction_cents: -780,
    });
    const { sale, commission } = await saleItems(world, id);
    expect(sale).toMatchObject({ refundedCents: 1000, refundReason: 'refund' });
    expect(commission).toMatchObject({ status: 'pending', deductedCents: 200, refundState: 'partial' });
    expect((await named('dp_1', 0, corrected)).body).toEqual(skipped(ids));
    expect(await named('dp_1', 3900)).toMatchObject({
      status: 400,
      body: codedError(
        400,
        'invalid_request',
        'refund_id dp_1 is recorded with 0. Send correction: true to change it.',
      ),
    });
  });

  it('acts as a refund if its total is higher than the refunded one', async () => {
    const { named } = await soldOne();
    await named('re_1', 1000);
    expect((await named('re_1', 2450, corrected)).body).toMatchObject({ status: 'refunded', deduction_cents: 290 });
    expect((await named('re_2', 2450, corrected)).body).toMatchObject({ status: 'reversed', deduction_cents: 490 });
  });

  it('cannot lower the refunds below what Stripe reported', async () => {
    const { brand, id } = await buyer(world);
    const { total } = callsOf(brand, `cs_${id}`);
    await total(2450);
    await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 1000 })));
    expect((await total(0, corrected)).body).toMatchObject({ status: 'corrected', refunded_amount_cents: 1000 });
    expect((await total(0, corrected)).body).toMatchObject({ status: 'skipped', reason: 'reported by the processor' });
    await deliver(brand, stripeEvent('charge.dispute.created', dispute(id, {})));
    expect((await total(500, corrected)).body).toMatchObject({
      status: 'skipped',
      reason: 'reported by the processor',
    });
    expect((await saleItems(world, `cs_${id}`)).sale).toMatchObject({ refundedCents: 4900 });
  });
});

describe('a refund finds its sale', () => {
  it.each(['pi_', 'ch_', 'cs_'])('by the payment’s id, sent as %s', async (prefix) => {
    const { brand, id } = await buyer(world);
    await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 100 })));
    const { named } = callsOf(brand, `${prefix}${id}`);
    expect((await named('re_1', 1000)).body).toMatchObject({ status: 'refunded', refunded_amount_cents: 1000 });
    expect((await named('re_1', 1000)).body).toMatchObject({ status: 'skipped', reason: 'already refunded' });
    expect((await saleItems(world, `cs_${id}`)).sale).toMatchObject({ refundedCents: 1000 });
  });

  it('but not by a payment id that belongs to another program’s sale', async () => {
    const { id } = await buyer(world);
    const { total } = callsOf(await world.brand(), `pi_${id}`);
    expect(await total(1)).toMatchObject({
      status: 404,
      body: codedError(404, 'not_found', 'Sale not found for transaction_id'),
    });
  });
});

describe('concurrent refunds', () => {
  const ten = Array.from({ length: 10 }, (_, index) => `re_${index}`);

  it('all count if they have 10 different refund_ids', async () => {
    const { id, named } = await soldOne();
    const replies = await Promise.all(ten.map((refundId) => named(refundId, 100)));
    expect(replies.map(({ body }) => body.status)).toEqual(ten.map(() => 'refunded'));
    const { sale, commission, refunds } = await saleItems(world, id);
    expect(sale).toMatchObject({ refundedCents: 1000, reversals: { namedCents: 1000 } });
    expect(commission).toMatchObject({ deductedCents: 200 });
    expect(refunds).toHaveLength(10);
    await expectNothingHalfWritten(world);
  });

  it('count once if all 10 have the same refund_id', async () => {
    const { id, named } = await soldOne();
    const replies = await Promise.all(ten.map(() => named('re_1', 100)));
    expect(replies.map(({ body }) => body.status as string).toSorted()).toEqual([
      'refunded',
      ...ten.slice(1).map(() => 'skipped'),
    ]);
    expect((await saleItems(world, id)).sale).toMatchObject({ refundedCents: 100, reversals: { namedCents: 100 } });
  });

  it('in parallel with corrections leave exactly the amounts that were not corrected', async () => {
    const { id, named } = await soldOne();
    await named('re_1', 1000);
    await Promise.all([named('re_2', 500), named('re_1', 0, corrected), named('re_3', 700), named('re_1', 1000)]);
    expect((await saleItems(world, id)).sale).toMatchObject({ refundedCents: 1200, reversals: { namedCents: 1200 } });
    await expectNothingHalfWritten(world);
  });
});

describe('when the reply to a refund’s write is lost', () => {
  it('the caller’s second call finds the refund already recorded', async () => {
    const { id, ids, named } = await soldOne();
    expect((await failing('write', replyLost, () => named('re_1', 1000))).status).toBe(500);
    expect((await named('re_1', 1000)).body).toEqual(skipped(ids));
    expect((await saleItems(world, id)).sale).toMatchObject({ refundedCents: 1000 });
  });

  it.each(['re_1', undefined])(
    'a refund or correction that the AWS SDK sends again counts once (refund_id: %s)',
    async (refundId) => {
      const { id, ids, call } = await soldOne();
      const body = { refund_id: refundId, refund_amount_cents: 1000 };
      expect((await failing('write', sentAgain, () => call(body))).body).toMatchObject({ status: 'refunded' });
      const correction = { ...body, refund_amount_cents: 400, correction: true };
      expect((await failing('write', sentAgain, () => call(correction))).body).toMatchObject({ status: 'corrected' });
      for (const repeated of [correction, { ...body, refund_amount_cents: 400 }]) {
        expect((await call(repeated)).body).toEqual(skipped(ids));
      }
      const { sale, commission, refunds } = await saleItems(world, id);
      expect(sale).toMatchObject({ refundedCents: 400 });
      expect(commission).toMatchObject({ deductedCents: 80 });
      expect(refunds.map(({ amountCents }) => amountCents)).toEqual([1000, -600]);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { handler } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { settledPlace } from '#test/support/programs/commissions.ts';
import { changeProgram, signedUp, sold, soldTo, unlinkPartner } from '#test/support/payments/lives/journeys.ts';
import { momentsAfter } from '#test/support/table/moments.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of refunds by the state of the sale before. A sale of 4900 pays 980 at 20 percent unless stated otherwise.

const world = openedWorld();

const refund = (brand: Brand, body: object) => send(handler, { key: brand.key, body });
const changeCommission = (transactionId: string, set: Record<string, unknown>) =>
  world.deps().table.update(keys.commission(transactionId), { set });

describe('a refund after the commission was decided', () => {
  it('of a sale with an approved commission lowers the commission, which stays approved, if only a part is refunded', async () => {
    const brand = await world.brand();
    await soldTo(brand, 'u1', { transaction_id: 'approved' });
    await changeCommission('approved', { status: 'approved' });
    await refund(brand, { transaction_id: 'approved', refund_amount_cents: 2450 });
    const { commission } = await saleItems(world, 'approved');
    expect(commission).toMatchObject({ status: 'approved', deductedCents: 490 });
    expect(commission).not.toHaveProperty('needsReview');
  });

  it('of a sale with a paid commission lowers the commission too, and marks it as needing review', async () => {
    const brand = await world.brand();
    await soldTo(brand, 'u1', { transaction_id: 'paid' });
    await changeCommission('paid', { status: 'paid' });
    const { body } = await refund(brand, { transaction_id: 'paid', refund_amount_cents: 2450 });
    expect(body).toMatchObject({ status: 'refunded', deduction_cents: 490 });
    expect((await saleItems(world, 'paid')).commission).toMatchObject({
      status: 'paid',
      deductedCents: 490,
      needsReview: true,
    });
    expect((await refund(brand, { transaction_id: 'paid' })).body).toMatchObject({ status: 'reversed' });
    expect((await saleItems(world, 'paid')).commission).toMatchObject({ status: 'reversed', needsReview: true });
  });

  it('of a sale with a rejected commission is stored with the sale and lowers only the platform fee', async () => {
    const brand = await world.brand();
    const { sale_id: saleId, commission_id: commissionId } = await soldTo(brand, 'u1', { transaction_id: 'rejected' });
    await changeCommission('rejected', { status: 'rejected' });
    const before = await saleItems(world, 'rejected');
    const reply = await refund(brand, { transaction_id: 'rejected', refund_amount_cents: 100 });
    expect(reply.body).toEqual({
      success: true,
      status: 'skipped',
      sale_id: saleId,
      commission_id: commissionId,
      reason: 'commission rejected',
      message: expect.any(String),
    });
    const after = await saleItems(world, 'rejected');
    const at = momentsAfter(NOW, 1);
    const step = { at, actor: 'api', action: 'deducted', amountCents: 0, reason: 'refund' };
    expect(after.commission).toEqual({
      ...before.commission,
      gsi1pk: undefined,
      gsi1sk: undefined,
      ...settledPlace(brand, commissionId),
      platformFee: { amountCents: 172, reducedCents: 4, bps: 350, currency: 'USD' },
      history: [...(before.commission!.history as object[]), { ...step, from: 'rejected', to: 'rejected' }],
      version: 2,
    });
    expect(after.sale).toEqual({
      ...before.sale,
      refundedCents: 100,
      refundReason: 'refund',
      changedAt: at,
      version: 2,
    });
    expect(after.refunds).toMatchObject([{ amountCents: 100, deductionCents: 0, feeReductionCents: 4 }]);

    // A refund with a lower total changes nothing.
    await refund(brand, { transaction_id: 'rejected', refund_amount_cents: 50 });
    expect(await saleItems(world, 'rejected')).toEqual(after);
  });
});

describe('a refund of a sale without a commission', () => {
  const makers: Readonly<Record<string, (brand: Brand, id: string) => Promise<unknown>>> = {
    'in test mode': (brand, id) => sold(brand, { transaction_id: id, additional_data: { test_mode: true } }),
    'without a commission due': async (brand, id) => {
      await soldTo(brand, 'u1', { transaction_id: `before ${id}` });
      return sold(brand, { transaction_id: id, customer_key: 'u1', is_recurring: true });
    },
    'without its failed commission': async (brand, id) => {
      await signedUp(brand, 'u1');
      await changeProgram(world, brand, { commissionRate: 0 });
      return send(sale, { key: brand.key, body: { transaction_id: id, amount_cents: 4900, customer_key: 'u1' } });
    },
    'without a partner': async (brand, id) => {
      const clickId = await signedUp(brand, 'u1');
      await unlinkPartner(world, brand, clickId, 'u1');
      return send(sale, { key: brand.key, body: { transaction_id: id, amount_cents: 4900, customer_key: 'u1' } });
    },
  };

  it.each(Object.keys(makers))('is stored with the sale if the sale is %s', async (name) => {
    const brand = await world.brand();
    const id = `without ${name}`;
    await makers[name]?.(brand, id);
    const before = await saleItems(world, id);
    const noCommission = {
      success: true,
      status: 'no_commission',
      sale_id: before.sale.id,
      commission_id: null,
      message: 'Sale has no commission to reverse',
    };
    const partial = { transaction_id: id, refund_amount_cents: 100, reason: 'chargeback' };
    expect((await refund(brand, partial)).body).toEqual(noCommission);
    const after = await saleItems(world, id);
    expect(after.sale).toEqual({
      ...before.sale,
      refundedCents: 100,
      refundReason: 'chargeback',
      changedAt: momentsAfter(NOW, 1),
      version: 2,
    });
    expect(after.refunds).toMatchObject([{ amountCents: 100, refundedCents: 100, deductionCents: 0 }]);
    expect((await refund(brand, partial)).body).toEqual(noCommission);
    expect(await saleItems(world, id)).toEqual(after);
    expect((await refund(brand, { transaction_id: id })).body).toEqual(noCommission);
    expect((await saleItems(world, id)).sale).toMatchObject({ refundedCents: 4900, refundReason: 'refund' });
  });
});

describe('concurrent refunds', () => {
  it('of one sale with 20 different totals leave the highest total', async () => {
    const brand = await world.brand();
    await soldTo(brand, 'u1', { transaction_id: 'raced' });
    const totals = Array.from({ length: 20 }, (_, index) => 200 * (index + 1));
    const replies = await Promise.all(
      totals.map((total) => refund(brand, { transaction_id: 'raced', refund_amount_cents: total })),
    );
    expect(replies.map(({ status }) => status)).toEqual(totals.map(() => 200));
    const { sale: stored, commission, refunds } = await saleItems(world, 'raced');
    expect(stored).toMatchObject({ refundedCents: 4000 });
    expect(commission).toMatchObject({ deductedCents: 800, refundState: 'partial', status: 'pending' });

    const applied = replies.filter(({ body }) => body.status === 'refunded');
    expect(applied.reduce((sum, { body }) => sum + body.deduction_cents, 0)).toBe(800);
    expect(refunds).toHaveLength(applied.length);
    expect(commission?.history).toHaveLength(applied.length + 1);
    expect(refunds.reduce((sum, { amountCents }) => sum + (amountCents as number), 0)).toBe(4000);
  });

  it('of one whole sale, sent 20 times, are deducted once', async () => {
    const brand = await world.brand();
    await soldTo(brand, 'u1', { transaction_id: 'raced_full' });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => refund(brand, { transaction_id: 'raced_full' })),
    );
    const statuses = replies.map(({ body }) => body.status as string).toSorted();
    expect(statuses).toEqual(['reversed', ...Array.from({ length: 19 }, () => 'skipped')]);
    expect((await saleItems(world, 'raced_full')).refunds).toHaveLength(1);
  });
});

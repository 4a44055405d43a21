import { describe, expect, it } from 'vitest';
import { handler } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { settledPlace } from '#test/support/programs/commissions.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// In these tests, a sale of 4900 pays 980 at 20 percent; its platform fee is 172.

const world = openedWorld();

const LATER = new Date('2026-12-01T09:00:00.000Z');
const at = LATER.toISOString();
const refund = (brand: Brand, body: object) => send(handler, { key: brand.key, body, at: LATER });
const alreadyRecorded = 'Refund already recorded';

describe('a full refund', () => {
  it('reverses the commission, and the customer stays a paying customer', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, 'full');
    const answered = await sold(brand, { transaction_id: 'full', customer_key: 'full' });
    const before = await saleItems(world, 'full');
    const customer = [await world.items(`CUSTOMER#${clickId}`), await world.items('KEY#full')];

    const reply = await refund(brand, { transaction_id: ' full ', refund_reason: 'Changed her mind' });
    expect(reply).toEqual({
      status: 200,
      headers: countedHeaders(120, 1, LATER),
      body: {
        success: true,
        status: 'reversed',
        sale_id: answered.sale_id,
        commission_id: answered.commission_id,
        refunded_amount_cents: 4900,
        deduction_cents: 980,
        message: 'Commission reversed',
      },
    });
    const after = await saleItems(world, 'full');
    const full = { refundedCents: 4900, refundReason: 'refund', fullyRefundedAt: '2026-12-01T09:00:00.000Z' };
    expect(after.sale).toEqual({ ...before.sale, ...full, changedAt: at, version: 2 });
    expect(after.commission).toEqual({
      ...before.commission,
      gsi1pk: undefined,
      gsi1sk: undefined,
      ...settledPlace(brand, answered.commission_id),
      status: 'reversed',
      deductedCents: 980,
      refundState: 'full',
      reversalReason: 'refund',
      reversedAt: at,
      platformFee: { amountCents: 172, reducedCents: 172, bps: 350, currency: 'USD' },
      history: [
        ...(before.commission!.history as object[]),
        { at, actor: 'api', action: 'reversed', from: 'pending', to: 'reversed', amountCents: 980, reason: 'refund' },
      ],
      version: 2,
    });
    const refundId = Number(after.refunds[0]?.id);
    expect(after.refunds).toEqual([
      {
        pk: 'SALE#full',
        sk: `REFUND#${at}#${refundId}`,
        gsi1pk: `PROGRAM#${brand.program.id}#EVENTS#refund`,
        gsi1sk: `${at}#${refundId}`,
        id: refundId,
        createdAt: at,
        programId: brand.program.id,
        saleId: answered.sale_id,
        transactionId: 'full',
        partnerId: brand.partner.id,
        shortLink: brand.shortLink,
        clickId,
        reason: 'refund',
        refundReason: 'Changed her mind',
        amountCents: 4900,
        refundedCents: 4900,
        deductionCents: 980,
        currency: 'USD',
        commissionCurrency: 'USD',
        feeReductionCents: 172,
      },
    ]);
    expect([await world.items(`CUSTOMER#${clickId}`), await world.items('KEY#full')]).toEqual(customer);
  });

  it.each([
    ['absent', {}],
    ['null', { refund_amount_cents: null }],
    ['the sale amount', { refund_amount_cents: 4900 }],
  ])('can have refund_amount_cents %s', async (name, total) => {
    const brand = await world.brand();
    const id = `total ${name}`;
    await soldTo(brand, 'u1', { transaction_id: id });
    expect((await refund(brand, { transaction_id: id, ...total })).body).toMatchObject({
      status: 'reversed',
      refunded_amount_cents: 4900,
      deduction_cents: 980,
    });
    expect((await saleItems(world, id)).sale).toMatchObject({ refundedCents: 4900 });
  });

  it.each([{}, { refund_amount_cents: 100 }, { reason: 'chargeback' }])(
    'is final: a later refund with %o is skipped, and nothing is written',
    async (body) => {
      const brand = await world.brand();
      const id = `final ${JSON.stringify(body)}`;
      const { sale_id: saleId, commission_id: commissionId } = await soldTo(brand, 'u1', { transaction_id: id });
      await refund(brand, { transaction_id: id });
      const before = await saleItems(world, id);
      expect((await refund(brand, { transaction_id: id, ...body })).body).toEqual({
        success: true,
        status: 'skipped',
        sale_id: saleId,
        commission_id: commissionId,
        reason: 'already reversed',
        message: alreadyRecorded,
      });
      expect(await saleItems(world, id)).toEqual(before);
    },
  );

  it('that is sent before its sale is not stored; sent again after the sale, it counts', async () => {
    const brand = await world.brand();
    const early = await refund(brand, { transaction_id: 'early' });
    expect([early.status, early.body]).toEqual([
      404,
      codedError(404, 'not_found', 'Sale not found for transaction_id'),
    ]);
    await soldTo(brand, 'u1', { transaction_id: 'early' });
    expect((await refund(brand, { transaction_id: 'early' })).body).toMatchObject({
      status: 'reversed',
      deduction_cents: 980,
    });
  });

  it('does not free the sale’s transaction_id: a new sale with that id is refused with 409', async () => {
    const brand = await world.brand();
    await soldTo(brand, 'u1', { transaction_id: 'consumed' });
    await refund(brand, { transaction_id: 'consumed' });
    const again = { transaction_id: 'consumed', amount_cents: 4900, customer_key: 'u1' };
    expect((await send(sale, { key: brand.key, body: again })).status).toBe(409);
  });
});

describe('a partial refund', () => {
  it('deducts its share of the commission, whose status stays the same', async () => {
    const brand = await world.brand();
    const { sale_id: saleId, commission_id: commissionId } = await soldTo(brand, 'u1', { transaction_id: 'partial' });
    const before = await saleItems(world, 'partial');
    const reply = await refund(brand, { transaction_id: 'partial', refund_amount_cents: 2450 });
    expect(reply.body).toEqual({
      success: true,
      status: 'refunded',
      sale_id: saleId,
      commission_id: commissionId,
      refunded_amount_cents: 2450,
      deduction_cents: 490,
      message: 'Commission reduced',
    });
    const after = await saleItems(world, 'partial');
    expect(after.commission).toEqual({
      ...before.commission,
      gsi1sk: String(before.commission!.gsi1sk).replace('#980#', '#490#'),
      gsi2sk: String(before.commission!.gsi2sk).replace('#980#', '#490#'),
      deductedCents: 490,
      refundState: 'partial',
      platformFee: { amountCents: 172, reducedCents: 86, bps: 350, currency: 'USD' },
      history: [
        ...(before.commission!.history as object[]),
        { at, actor: 'api', action: 'deducted', from: 'pending', to: 'pending', amountCents: 490, reason: 'refund' },
      ],
      version: 2,
    });
    expect(after.sale).toMatchObject({ refundedCents: 2450, refundReason: 'refund' });
    expect(after.refunds).toMatchObject([{ amountCents: 2450, refundedCents: 2450, deductionCents: 490 }]);
  });

  it.each([2450, 2449, 1])(
    'is skipped if its total of %i is not above the total of 2450 recorded before',
    async (total) => {
      const brand = await world.brand();
      const id = `not above ${total}`;
      const { sale_id: saleId, commission_id: commissionId } = await soldTo(brand, 'u1', { transaction_id: id });
      await refund(brand, { transaction_id: id, refund_amount_cents: 2450 });
      const before = await saleItems(world, id);
      expect((await refund(brand, { transaction_id: id, refund_amount_cents: total })).body).toEqual({
        success: true,
        status: 'skipped',
        sale_id: saleId,
        commission_id: commissionId,
        reason: 'already refunded',
        message: alreadyRecorded,
      });
      expect(await saleItems(world, id)).toEqual(before);
    },
  );

  it.each([
    // The commission's type and rate, consecutive totals, and each call's deduction.
    ['fixed', 0.03, [1634, 3267, 4899, 4900], [1, 1, 1, 0]],
    ['fixed', 0.01, [2449, 2450, 4900], [0, 1, 0]],
    ['percent', 20, [1, 2, 3, 4899, 4900], [0, 0, 1, 979, 0]],
    ['percent', 20, [1000, 2450, 4900], [200, 290, 490]],
  ] as const)(
    'under the terms %s %d, sent with the totals %o, deducts %o cents; the full refund deducts what remains',
    async (type, rate, totals, deductions) => {
      const brand = await world.brand({ commissionType: type, commissionRate: rate });
      const id = `steps ${type} ${rate} ${totals.length}`;
      await soldTo(brand, 'u1', { transaction_id: id });
      const replies = [];
      for (const total of totals) {
        replies.push((await refund(brand, { transaction_id: id, refund_amount_cents: total })).body);
      }
      expect(replies.map((body) => body.deduction_cents)).toEqual(deductions);
      expect(replies.map((body) => body.refunded_amount_cents)).toEqual(totals);
      expect(replies.map((body) => body.status)).toEqual([...totals.slice(1).map(() => 'refunded'), 'reversed']);
      const { sale: stored, commission, refunds } = await saleItems(world, id);
      expect(stored).toMatchObject({ refundedCents: 4900 });
      expect(commission).toMatchObject({ deductedCents: commission?.amountCents, refundState: 'full' });
      expect(refunds.map(({ deductionCents }) => deductionCents)).toEqual(deductions);
      expect(refunds.reduce((sum, { amountCents }) => sum + (amountCents as number), 0)).toBe(4900);
    },
  );
});

describe('a chargeback', () => {
  it('acts like a refund, with the same reply, and is stored with the reason chargeback', async () => {
    const brand = await world.brand();
    const { sale_id: saleId, commission_id: commissionId } = await soldTo(brand, 'u1', { transaction_id: 'charged' });
    const partial = { transaction_id: 'charged', reason: 'chargeback', refund_amount_cents: 2450 };
    const ids = { sale_id: saleId, commission_id: commissionId, reason: 'chargeback' };
    expect((await refund(brand, partial)).body).toEqual({
      success: true,
      status: 'refunded',
      ...ids,
      refunded_amount_cents: 2450,
      deduction_cents: 490,
      message: 'Commission reduced',
    });
    expect((await refund(brand, { transaction_id: 'charged', reason: 'chargeback' })).body).toEqual({
      success: true,
      status: 'reversed',
      ...ids,
      refunded_amount_cents: 4900,
      deduction_cents: 490,
      message: 'Commission reversed',
    });
    const { sale: stored, commission, refunds } = await saleItems(world, 'charged');
    expect(stored).toMatchObject({ refundReason: 'chargeback' });
    expect(commission).toMatchObject({ status: 'reversed', reversalReason: 'chargeback' });
    expect(refunds).toMatchObject([{ reason: 'chargeback' }, { reason: 'chargeback' }]);
  });

  it('is accepted after a partial refund', async () => {
    const brand = await world.brand();
    await soldTo(brand, 'u1', { transaction_id: 'then_charged' });
    await refund(brand, { transaction_id: 'then_charged', refund_amount_cents: 100, reason: 'refund' });
    await refund(brand, { transaction_id: 'then_charged', reason: 'chargeback' });
    const { commission, refunds } = await saleItems(world, 'then_charged');
    expect(commission).toMatchObject({ reversalReason: 'chargeback' });
    expect(refunds.map(({ reason }) => reason)).toEqual(['refund', 'chargeback']);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { failedFirstSale } from '#test/support/payments/failed-sales.ts';
import { failing, overtakenBy, refused } from '#test/support/table/faults.ts';
import { momentsAfter } from '#test/support/table/moments.ts';
import { operated } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Tests that a repair applies the refunds recorded before it. A sale of 4900 pays 980; its platform fee is 172.

const second = (n: number) => new Date(NOW.getTime() + n * 1_000);
const LATER = new Date('2026-11-21T08:00:00.000Z');

const world = openedWorld();
const brand = opened(() => world.brand(), beforeEach);

const repair = (id: string, at = LATER) => operated(world, ['sale', 'repair', '--transaction', id], at);

const refunded = async (id: string, body: object, at?: Date) => {
  const reply = await send(refund, { key: brand.key, body: { transaction_id: id, ...body }, at });
  expect(reply).toMatchObject({ status: 200, body: { status: 'no_commission' } });
};
/** A history row of a repair. Each step follows the previous one, so it is a millisecond later. */
const step = (count: number, action: string, to: string, amountCents: number, reason = 'refund') => ({
  at: momentsAfter(LATER, count),
  actor: 'operator',
  action,
  from: 'pending',
  to,
  amountCents,
  reason,
});

it('`sale repair` deducts, one after the other, the partial refunds that were recorded before the repair', async () => {
  const { id } = await failedFirstSale(brand);
  await refunded(id, { refund_amount_cents: 1000 });
  await refunded(id, { refund_amount_cents: 2450, reason: 'chargeback' });
  const { sale: before } = await saleItems(world, id);
  expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
  const { sale: stored, commission } = await saleItems(world, id);
  expect(stored).toMatchObject({ refundedCents: before.refundedCents, refundReason: before.refundReason });
  expect(commission).toMatchObject({
    status: 'pending',
    amountCents: 980,
    deductedCents: 490,
    refundState: 'partial',
    platformFee: { amountCents: 172, reducedCents: 86 },
    history: [
      { action: 'created', actor: 'operator' },
      step(1, 'deducted', 'pending', 200),
      step(2, 'deducted', 'pending', 290, 'chargeback'),
    ],
  });
  expect(commission).not.toHaveProperty('reversalReason');
});

it('`sale repair` creates the commission of a fully refunded sale with the status reversed', async () => {
  const { id } = await failedFirstSale(brand);
  await refunded(id, { refund_amount_cents: 2450 });
  await refunded(id, { reason: 'chargeback' });
  await repair(id);
  expect((await saleItems(world, id)).commission).toMatchObject({
    status: 'reversed',
    deductedCents: 980,
    refundState: 'full',
    reversalReason: 'chargeback',
    reversedAt: momentsAfter(LATER, 2),
    platformFee: { amountCents: 172, reducedCents: 172 },
    history: [
      { action: 'created' },
      step(1, 'deducted', 'pending', 490),
      step(2, 'reversed', 'reversed', 490, 'chargeback'),
    ],
  });
});

it('`sale repair` applies, one after the other, the refunds and corrections that were recorded before the repair', async () => {
  const { id } = await failedFirstSale(brand);
  await refunded(id, { refund_id: 're_1', refund_amount_cents: 1000 }, second(1));
  await refunded(id, { refund_id: 'dp_1', refund_amount_cents: 3900, reason: 'chargeback' }, second(2));
  await refunded(id, { refund_id: 'dp_1', refund_amount_cents: 0, correction: true }, second(3));
  await refunded(id, { refund_id: 're_2', refund_amount_cents: 1450 }, second(4));
  await repair(id);
  const { commission, refunds } = await saleItems(world, id);
  expect(commission).toMatchObject({
    status: 'pending',
    deductedCents: 490,
    refundState: 'partial',
    platformFee: { amountCents: 172, reducedCents: 86 },
    history: [
      { action: 'created' },
      step(1, 'deducted', 'pending', 200),
      step(2, 'reversed', 'reversed', 780, 'chargeback'),
      { ...step(3, 'corrected', 'pending', -780, 'correction'), from: 'reversed' },
      step(4, 'deducted', 'pending', 290),
    ],
  });
  expect(refunds.map(({ deductionCents }) => deductionCents)).toEqual([200, 780, -780, 290]);
  const { body } = await send(refund, {
    key: brand.key,
    body: { transaction_id: id, refund_amount_cents: 0, correction: true },
  });
  expect(body).toMatchObject({ status: 'corrected', deduction_cents: -490 });
});

it('a commission that `sale repair` created is reduced by later refunds', async () => {
  const { id } = await failedFirstSale(brand);
  await refunded(id, { refund_amount_cents: 1000 });
  await repair(id);
  const { body } = await send(refund, { key: brand.key, body: { transaction_id: id } });
  expect(body).toMatchObject({ status: 'reversed', refunded_amount_cents: 4900, deduction_cents: 780 });
});

it.each(['the refund', 'the repair'])(
  '`sale repair` and a refund in parallel both take effect if %s is written first',
  async (first) => {
    const { id } = await failedFirstSale(brand);
    const refundNow = () => send(refund, { key: brand.key, body: { transaction_id: id, refund_amount_cents: 2450 } });
    const [quick, slow] = first === 'the refund' ? [refundNow, () => repair(id)] : [() => repair(id), refundNow];
    await failing('write', overtakenBy(quick), slow);
    const { sale: stored, commission } = await saleItems(world, id);
    expect([stored.refundedCents, commission?.deductedCents]).toEqual([2450, 490]);
  },
);

const waits = async (id: string) => (await world.items('SALES_TO_REPAIR')).some((note) => note.transactionId === id);

describe('if a sale has too many refunds for one transaction of `sale repair`, the refunds', () => {
  const COUNT = 230;
  const CENTS = 20;

  /** Makes a failed sale with this many refunds, as refund calls store them. */
  async function muchRefunded() {
    const { id } = await failedFirstSale(brand);
    // The refunds are further apart than the rate limit requires.
    for (let count = 1; count <= COUNT; count++) {
      await refunded(id, { refund_amount_cents: count * CENTS }, new Date(NOW.getTime() + count * 2_000));
    }
    return id;
  }

  const expectRepaired = async (id: string) => {
    const { sale, commission, refunds } = await saleItems(world, id);
    expect(sale).toMatchObject({ commissionState: 'created', refundedCents: COUNT * CENTS });
    expect(commission).toMatchObject({ deductedCents: 920, refundState: 'partial' });
    expect(refunds.map(({ deductionCents }) => deductionCents)).toEqual(Array.from({ length: COUNT }, () => 4));
    expect(refunds.every(({ commissionCurrency }) => commissionCurrency === 'USD')).toBe(true);
    expect(await waits(id)).toBe(false);
  };

  it('are each deducted once, however often the command is repeated', async () => {
    const id = await muchRefunded();
    expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
    await expectRepaired(id);
    const before = await saleItems(world, id);
    expect(await repair(id)).toEqual({ repaired: [], skipped: [id] });
    expect(await saleItems(world, id)).toEqual(before);
  });

  it('are all deducted by the next run if a run is interrupted', { tags: ['deep'] }, async () => {
    const id = await muchRefunded();
    await expect(failing('second write', refused('AccessDeniedException'), () => repair(id))).rejects.toThrow(
      'AccessDeniedException',
    );
    const { sale, commission, refunds } = await saleItems(world, id);
    expect([sale.commissionState, commission, await waits(id)]).toEqual(['failed', undefined, true]);
    expect(refunds.filter(({ deductionCents }) => deductionCents === 4)).toHaveLength(99);
    expect(await repair(id)).toEqual({ repaired: [id], skipped: [] });
    await expectRepaired(id);
  });

  it('are all deducted, and so is one that arrives between two transactions', { tags: ['deep'] }, async () => {
    const id = await muchRefunded();
    await failing(
      'second write',
      overtakenBy(() => refunded(id, {}, LATER)),
      () => repair(id),
    );
    const { commission, refunds } = await saleItems(world, id);
    expect(commission).toMatchObject({ status: 'reversed', deductedCents: 980 });
    expect(refunds.map(({ deductionCents }) => deductionCents)).toEqual([
      ...Array.from({ length: COUNT }, () => 4),
      60,
    ]);
  });
});

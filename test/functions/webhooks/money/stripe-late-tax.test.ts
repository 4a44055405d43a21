import { beforeEach, describe, expect, it } from 'vitest';
import { handler as refundCall } from '#functions/track/refund.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { HOLD_OVER } from '#test/support/programs/commissions.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import {
  failing,
  failingTransactionOf,
  inConflict,
  overtakenBy,
  replyLost,
  sentAgain,
} from '#test/support/table/faults.ts';
import { expectNothingHalfWritten, leftBehind } from '#test/support/table/invariants.ts';
import { changeProgram } from '#test/support/payments/lives/journeys.ts';
import { momentsAfter } from '#test/support/table/moments.ts';
import { operated } from '#test/support/callers/operator.ts';
import { type Visitor, visitor } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { invoicePaymentPaid } from '#test/support/payments/single-payments.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { deliver, dispute, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import {
  EXCLUDING_TAX,
  netCommission,
  netSale,
  refundOf,
  sessionPaid,
  soldBy,
  untaxedIntent,
} from '#test/support/payments/taxed-payments.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// In these tests, a session reports the tax of a sale that its payment intent recorded without tax.

openProcessor();

const world = openedWorld();
let person: Visitor;
let owner: Dashboard;
let program: string;
let transactionId: string;
let commissionPath: string;
beforeEach(async () => {
  person = await visitor(world, EXCLUDING_TAX);
  owner = dashboard((await ownerOfBrand(world, person.brand)).token);
  program = `/programs/${person.brand.program.id}`;
  await deliver(person.brand, untaxedIntent(person));
  transactionId = `pi_${person.id}`;
  commissionPath = `${program}/commissions/${String((await left()).commission!.id)}`;
});

const left = () => soldBy(world, person);
const deliverTax = () => deliver(person.brand, sessionPaid(person));
const refunded = (cents: number, at = NOW) =>
  send(refundCall, {
    key: person.brand.key,
    body: { transaction_id: transactionId, refund_amount_cents: cents },
    at,
  });
const payOut = () => owner.post(`${program}/payouts`, {}, { at: HOLD_OVER });

/** Removes the sale's commission, as if its terms could not be computed at first. */
async function lackCommission(): Promise<void> {
  await changeProgram(world, person.brand, { commissionRate: 0 });
  person = { ...person, id: `${person.id}f` };
  transactionId = `pi_${person.id}`;
  await deliver(person.brand, untaxedIntent(person));
  const { sale } = await left();
  expect(sale).toMatchObject({ commissionState: 'failed', baseCents: 11_900 });
  const terms = { ...(sale.terms as object), commissionRate: 20 };
  await world.deps().table.update(keys.sale(transactionId), { set: { terms } });
}
const repair = () => operated(world, `sale repair --transaction ${transactionId}`);

/** @param steps the number of changes at the same time before it */
const recalculation = (status: string, steps: number) => ({
  at: momentsAfter(NOW, steps),
  actor: 'processor',
  action: 'recalculated',
  from: status,
  to: status,
  amountCents: 2000,
  reason: 'the tax of the sale became known',
});

describe('the commission of a sale whose tax Stripe reports later', () => {
  it('is computed again from the amount without tax, with an entry in its history and in the sale’s explanation', async () => {
    const { sale, commission } = await left();
    const changed = await leftBehind(world, deliverTax);
    expect(changed).toContainEqual({ ...sale, taxCents: 1900, baseCents: 10_000 });
    expect(changed).toContainEqual({
      ...commission,
      // The index key contains the balance.
      gsi1sk: expect.any(String),
      gsi2sk: expect.any(String),
      baseAmountCents: 10_000,
      amountCents: 2000,
      history: [...(commission!.history as unknown[]), recalculation('pending', 1)],
      version: 2,
    });
    const { data } = (await owner.get(`${program}/sales?transaction_id=${transactionId}`)).body;
    expect(data).toMatchObject({
      sale: { amount_cents: 11_900, tax_cents: 1900, base_cents: 10_000 },
      commission: { base_amount_cents: 10_000, amount_cents: 2000, payable_cents: 2000 },
      history: [
        { action: 'created', amount_cents: 2380 },
        { action: 'recalculated', amount_cents: 2000 },
      ],
    });
    expect(data.timeline.at(-1).text).toBe('Commission recalculated: 20.00 USD (the tax of the sale became known)');
  });

  it('is computed again even if it is already approved', async () => {
    await owner.post(`${commissionPath}/approve`);
    await deliverTax();
    const { commission } = await left();
    expect(commission).toMatchObject({ ...netCommission, status: 'approved' });
    expect((commission!.history as unknown[]).at(-1)).toEqual(recalculation('approved', 2));
  });

  it('does not change if it is rejected', async () => {
    await owner.post(`${commissionPath}/reject`, { reason: 'Fraud' });
    const before = await left();
    await deliverTax();
    expect(await left()).toEqual({ ...before, sale: { ...before.sale, taxCents: 1900 } });
  });

  it('does not change if it is paid, even after a refund', async () => {
    expect((await payOut()).status).toBe(200);
    await deliver(person.brand, refundOf(person));
    const before = await left();
    expect(before).toMatchObject({
      sale: { baseCents: 11_900 },
      commission: { baseAmountCents: 11_900, amountCents: 2380, deductedCents: 1190, paidOutCents: 2380 },
    });
    await deliverTax();
    expect(await left()).toEqual({ ...before, sale: { ...before.sale, taxCents: 1900 } });
  });

  it('keeps each refund’s share: the deduction stored with each refund is scaled to the new amount', async () => {
    for (const cents of [3000, 4001, 11_000]) await refunded(cents);
    await deliverTax();
    const { commission, refunds } = await left();
    expect(commission).toMatchObject({ ...netCommission, deductedCents: 1849, refundState: 'partial' });
    expect(refunds.map(({ deductionCents, feeReductionCents }) => [deductionCents, feeReductionCents])).toEqual([
      [504, 105],
      [168, 35],
      [1177, 245],
    ]);
  });

  it('stays reversed while a dispute is open, and has its full new amount when the brand wins the dispute', async () => {
    const { brand, id } = person;
    await deliver(brand, stripeEvent('charge.dispute.created', dispute(id, { amount: 11_900 })));
    expect((await left()).commission).toMatchObject({ status: 'reversed', deductedCents: 2380 });
    await deliverTax();
    expect((await left()).commission).toMatchObject({ ...netCommission, status: 'reversed', deductedCents: 2000 });
    await deliver(brand, stripeEvent('charge.dispute.closed', dispute(id, { amount: 11_900, status: 'won' })));
    expect((await left()).commission).toMatchObject({ ...netCommission, status: 'pending', deductedCents: 0 });
  });

  it('is created from the amount without tax, if it was missing and the operator’s repair command creates it', async () => {
    await lackCommission();
    await deliverTax();
    expect((await left()).sale).toMatchObject({ ...netSale, commissionState: 'failed' });
    await repair();
    expect((await left()).commission).toMatchObject(netCommission);
  });

  it(
    'is computed again even if the sale has more refunds than fit into one transaction',
    { tags: 'deep' },
    async () => {
      for (let cents = 1; cents <= 110; cents++) {
        expect((await refunded(cents, new Date(NOW.getTime() + cents * 60_000))).status).toBe(200);
      }
      await deliverTax();
      const { commission, refunds } = await left();
      expect(refunds).toHaveLength(110);
      expect(commission).toMatchObject({ ...netCommission, deductedCents: 18 });
      await expectSound();
    },
  );

  it.each([
    ['whose reply is lost', replyLost],
    ['that is sent again', sentAgain],
    ['that conflicts with another transaction', inConflict],
  ])('is computed again only once if the write is one %s', async (_, fault) => {
    const event = sessionPaid(person);
    await failing('write', fault, () => deliver(person.brand, event)).catch(() => undefined);
    await deliver(person.brand, event);
    const { sale, commission } = await left();
    expect(sale).toMatchObject(netSale);
    const actions = (commission!.history as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(['created', 'recalculated']);
  });
});

/** Expects that sale, commission and refunds agree. */
async function expectSound(): Promise<void> {
  const { sale, commission, refunds } = await left();
  expect(sale).toMatchObject({ taxCents: 1900, baseCents: commission!.baseAmountCents });
  expect(commission!.amountCents).toBe(Number(commission!.baseAmountCents) / 5);
  expect(refunds.reduce((sum, { deductionCents }) => sum + Number(deductionCents), 0)).toBe(commission!.deductedCents);
}

const rivals = {
  'a refund': () => refunded(5950),
  'an approval': () => owner.post(`${commissionPath}/approve`),
  'a rejection': () => owner.post(`${commissionPath}/reject`, { reason: 'Fraud' }),
  'a payout': payOut,
  'another event of the tax': deliverTax,
  'a link of the payment': () => deliver(person.brand, invoicePaymentPaid(person.id)),
};

describe.each(Object.entries(rivals))('a late tax and %s leave sale, commission and refunds consistent', (_, rival) => {
  it('if the other change happens between the read and the write of the tax event', async () => {
    const reply = failingTransactionOf(`SALE#${transactionId}`, overtakenBy(rival), deliverTax);
    await expect(reply).resolves.toBeUndefined();
    await expectSound();
  });

  it('if both happen in parallel', async () => {
    await expect(Promise.all([rival(), deliverTax()])).resolves.toHaveLength(2);
    await expectSound();
    await expectNothingHalfWritten(world);
  });
});

it('if a tax event is written between a refund’s read and write, the commission without the tax is reduced', async () => {
  await failingTransactionOf(`SALE#${transactionId}`, overtakenBy(deliverTax), () => refunded(5950));
  const { commission, refunds } = await left();
  expect(commission).toMatchObject({ ...netCommission, deductedCents: 1000 });
  expect(refunds).toMatchObject([{ deductionCents: 1000 }]);
});

it('if a tax event is written between a refund’s read and write, in a program that deducts no tax, the tax stays stored', async () => {
  person = await visitor(world);
  await deliver(person.brand, untaxedIntent(person));
  transactionId = `pi_${person.id}`;
  await failingTransactionOf(`SALE#${transactionId}`, overtakenBy(deliverTax), () => refunded(5950));
  expect((await left()).sale).toMatchObject({ taxCents: 1900, refundedCents: 5950 });
});

it('a payout in parallel with a tax event pays exactly what the commission then has, with or without the tax', async () => {
  const [payout] = await Promise.all([payOut(), deliverTax()]);
  const { sale, commission } = await left();
  expect([2000, 2380]).toContain(commission!.amountCents);
  expect(commission).toMatchObject({ status: 'paid', baseAmountCents: sale.baseCents });
  expect(payout.body.data.totals).toEqual({ USD: commission!.paidOutCents });
  expect(commission!.paidOutCents).toBe(commission!.amountCents);
});

it('if a tax event is written between the read and the write of `sale repair`, the new commission excludes the tax', async () => {
  await lackCommission();
  await failingTransactionOf(`SALE#${transactionId}`, overtakenBy(deliverTax), repair);
  expect(await left()).toMatchObject({ sale: netSale, commission: netCommission });
});

it('counters include the commission that was computed again for a late tax, and a rebuild finds nothing to correct', async () => {
  await refunded(5950);
  await deliverTax();
  await counted(world);
  const counters = await counterItems(world);
  const { program: ofProgram } = person.brand;
  expect(counters[`CUSTOMER#${person.clickId}`]).toEqual({
    revenueUSD: 11_900,
    refundedUSD: 5950,
    commissionUSD: 1000,
  });
  expect(counters[`PROGRAM#${ofProgram.id}`]).toMatchObject({ commissionUSD: 1000, platformFeeUSD: 208 });
  // The rebuild covers all programs, also those of the tests above.
  await operated(world, 'metrics rebuild-all');
  await counted(world);
  expect(await counterItems(world)).toEqual(counters);
});

import { describe, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { factPump } from '#test/support/outbox/facts.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { momentsAfter } from '#test/support/table/moments.ts';
import { buyer } from '#test/support/payments/payers.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { charge, deliver, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { counted } from '#test/support/table/stream.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// An owner corrects the refunded amount of a sale. A sale of 4900 pays 980 at 20 percent.

openProcessor();

const world = openedWorld({ hasFacts: true });
const pump = opened(() => factPump(world));

let sales = 0;
async function soldOne(own?: OwnedBrand) {
  const brand = own ?? (await ownedBrand(world));
  const id = `wrong_${++sales}`;
  const { sale_id, commission_id } = await soldTo(brand, id, { transaction_id: id });
  const path = `${brand.path}/sales/${id}/refund`;
  const correct = (cents: unknown, more: object = { refund_reason: 'Told twice' }) =>
    brand.owner.post(path, { refund_amount_cents: cents, ...more });
  return { brand, id, path, correct, ids: { sale_id, commission_id } };
}

describe('an owner’s correction of a refund', () => {
  it('restores the commission by what was refunded too much, and its history shows who corrected it and why', async () => {
    const { brand, id, ids, correct } = await soldOne();
    await refunded(brand, { transaction_id: id });
    expect(await correct(1000)).toEqual(
      dataReply({ status: 'corrected', ...ids, refunded_amount_cents: 1000, deduction_cents: -780 }),
    );
    const { commission, refunds } = await saleItems(world, id);
    expect((commission!.history as object[]).at(-1)).toEqual({
      // The correction comes after the sale and the refund, which have the same time.
      at: momentsAfter(NOW, 2),
      actor: brand.actor,
      action: 'corrected',
      from: 'reversed',
      to: 'pending',
      amountCents: -780,
      reason: 'correction',
    });
    expect(refunds[1]).toMatchObject({ reason: 'correction', refundReason: 'Told twice', amountCents: -3900 });
    const audit = (await brand.owner.get('/workspace/audit')).body.data;
    expect(audit[0]).toMatchObject({ action: 'sale.refund_corrected', actor: { kind: 'account' } });
    expect(audit[0].target).toMatchObject({ type: 'sale', id, program_id: brand.program.id });
    expect(audit[0].changes).toEqual({ refunded_amount_cents: { from: 4900, to: 1000 } });
    const items = await world.items(`SALE#${id}`);
    expect((await correct(1000)).body).toEqual({ data: { status: 'skipped', ...ids, reason: 'already refunded' } });
    expect(await world.items(`SALE#${id}`)).toEqual(items);
    expect((await brand.owner.get('/workspace/audit')).body.data).toEqual(audit);
  });

  it('deducts more if the corrected total is higher than the refunded one', async () => {
    const { ids, correct } = await soldOne();
    expect((await correct(4900)).body).toEqual({
      data: { status: 'reversed', ...ids, refunded_amount_cents: 4900, deduction_cents: 980 },
    });
  });

  it('changes the refunded amount in every report', async () => {
    const { brand, id, correct } = await soldOne();
    await refunded(brand, { transaction_id: id, reason: 'chargeback' });
    await correct(2450);
    const { owner, path } = brand;
    const told = (await owner.get(`${path}/sales/${id}`)).body.data;
    expect(told.sale).toMatchObject({ refunded_amount_cents: 2450, payment_status: 'partially_refunded' });
    expect(told.refunds[1]).toMatchObject({
      reason: 'correction',
      refund_reason: 'Told twice',
      amount_cents: -2450,
      refunded_amount_cents: 2450,
      deduction_cents: -490,
    });
    expect(told.history.at(-1)).toMatchObject({ action: 'corrected', actor: brand.actor, amount_cents: -490 });
    expect(told.timeline.map(({ text }: { text: string }) => text)).toEqual(
      expect.arrayContaining(['Correction of 24.50 USD', 'Commission corrected: -4.90 USD (correction)']),
    );
    await counted(world);
    const amounts = { revenue_cents: 4900, refunded_cents: 2450, commission_cents: 490, platform_fee_cents: 86 };
    expect((await owner.get(`${path}/performance`)).body.data.totals.amounts.USD).toMatchObject(amounts);
    expect((await owner.get(`${path}/events?type=refund`)).body.data[0]).toMatchObject({
      reason: 'correction',
      amount_cents: -2450,
    });
    await pump.run();
    expect((await owner.get(`${path}/facts?type=sale.refunded`)).body.data).toMatchObject([
      { data: { reason: 'correction', amount_cents: -2450, refunded_amount_cents: 2450 } },
    ]);
    expect((await owner.get(`${path}/facts?type=commission.restored`)).body.data).toMatchObject([
      { data: { payable_cents: 490, status: 'pending' } },
    ]);
  });

  it('makes a commission payable again that was paid and later reversed', async () => {
    const { brand, id, correct } = await soldOne();
    const { owner, path } = brand;
    const payout = async () => (await owner.post(`${path}/payouts`, {}, { at: HOLD_OVER })).body.data;
    expect((await payout()).totals).toEqual({ USD: 980 });
    await refunded(brand, { transaction_id: id });
    // The next payout withholds the refund.
    await earned(brand, 1, { amount_cents: 9800 });
    expect((await payout()).totals).toEqual({ USD: 980 });
    expect((await saleItems(world, id)).commission).toMatchObject({ status: 'reversed', paidOutCents: 0 });
    expect((await correct(0)).body.data).toMatchObject({ status: 'corrected', deduction_cents: -980 });
    expect((await saleItems(world, id)).commission).toMatchObject({
      status: 'paid',
      deductedCents: 0,
      paidOutCents: 0,
    });
    expect((await payout()).totals).toEqual({ USD: 980 });
    const { commission } = await saleItems(world, id);
    expect(commission).toMatchObject({ status: 'paid', deductedCents: 0, paidOutCents: 980 });
    expect(commission).not.toHaveProperty('needsReview');
    await expectNothingHalfWritten(world);
  });

  it('has the result “skipped” if Stripe reported the refund, because only Stripe can take that back', async () => {
    const { brand, id } = await buyer(world);
    const { token } = await ownerOfBrand(world, brand);
    await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 1000 })));
    const path = `/programs/${brand.program.id}/sales/cs_${id}/refund`;
    const reply = await dashboard(token).post(path, { refund_amount_cents: 0, refund_reason: 'A mistake' });
    expect(reply.body.data).toMatchObject({ status: 'skipped', reason: 'reported by the processor' });
  });

  it('works for a sale whose id contains a slash, and for a sale without a commission', async () => {
    const { owner, path, key } = await ownedBrand(world);
    const id = 'a/b?c%d';
    await send(sale, { key, body: { transaction_id: id, amount_cents: 4900, additional_data: { test_mode: true } } });
    const address = `${path}/sales/refund?transaction_id=${encodeURIComponent(id)}`;
    const body = { refund_amount_cents: 900, refund_reason: 'Told late' };
    expect((await owner.post(address, body)).body.data).toMatchObject({ status: 'no_commission', commission_id: null });
    expect((await saleItems(world, id)).sale).toMatchObject({ refundedCents: 900 });
  });

  it('uses the newest amounts if a refund is recorded in parallel', async () => {
    const { brand, id, correct } = await soldOne();
    await refunded(brand, { transaction_id: id, refund_amount_cents: 1000 });
    const refund = overtakenBy(() => refunded(brand, { transaction_id: id, refund_amount_cents: 2000 }));
    expect((await failing('write', refund, () => correct(500))).body.data).toMatchObject({
      status: 'corrected',
      refunded_amount_cents: 500,
      deduction_cents: -300,
    });
    await expectNothingHalfWritten(world);
  });
});

describe('a refused correction of a refund', () => {
  const amountWrong = 'refund_amount_cents must be a positive integer';
  it.each([
    [undefined, { refund_reason: 'x' }, 'correction needs refund_amount_cents'],
    [null, { refund_reason: 'x' }, 'correction needs refund_amount_cents'],
    [-1, {}, amountWrong],
    ['100', {}, amountWrong],
    [0.5, {}, amountWrong],
    [100, {}, 'refund_reason is required'],
    [100, { refund_reason: ' ' }, 'refund_reason is required'],
    [100, { refund_reason: 'x'.repeat(501) }, 'refund_reason is required'],
    [4901, { refund_reason: 'x' }, 'refund_amount_cents must be at most the amount of the sale, 4900'],
  ])('answers 400 for the total %j and the fields %j', async (cents, more, message) => {
    const { id, correct } = await soldOne();
    const before = await world.items(`SALE#${id}`);
    expect(await correct(cents, more)).toMatchObject(refusal(400, message));
    expect(await world.items(`SALE#${id}`)).toEqual(before);
  });

  it('answers 403 to a member and 404 for another program’s sale', async () => {
    const { brand, path } = await soldOne();
    const member = await memberOf(world, { id: brand.program.workspaceId });
    expect(await dashboard(member.token).post(path, {})).toMatchObject(
      refusal(403, 'Only a workspace owner can do this'),
    );
    const other = await soldOne();
    const reply = await brand.owner.post(`${brand.path}/sales/${other.id}/refund`, {});
    expect(reply).toMatchObject(refusal(404, 'Sale not found for transaction_id'));
  });
});

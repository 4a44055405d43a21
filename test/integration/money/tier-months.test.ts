import { beforeEach, describe, expect, it } from 'vitest';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { failingTransactionOf, refused, replyLost } from '#test/support/table/faults.ts';
import { anotherPartner, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Tests that tiers depend on the previous month's sales, regardless of the counters at the time of sale.

let world: World;
let own: OwnedBrand;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world, { tiers: [{ fromSales: 2, rate: 30 }], commissionRate: 10 });
});

let count = 0;
const fresh = () => `tier-${++count}`;

const at = (time: string) => ({ at: new Date(time) });
const lastMoment = at('2026-11-30T23:59:59.999Z');
const firstMoment = at('2026-12-01T00:00:00.050Z');
const minutesLater = (after: number) => at(new Date(firstMoment.at.getTime() + after * 60_000).toISOString());

const sell = async (options: { at: Date }, more: object = {}) => {
  const id = fresh();
  await soldTo(own, id, { transaction_id: id, ...more }, options);
  return id;
};

const explained = async (id: string) => (await own.owner.get(`${own.path}/sales/${id}`)).body.data;

/** The commission of a sale, and the number that decided it. */
const paidFor = async (id: string) => {
  const { commission, tiers } = await explained(id);
  return { rate: commission.commission_rate, cents: commission.amount_cents, ...tiers };
};

/** Expects this sum of all commissions in the reports. */
async function expectCommissionsCounted(cents: number) {
  await counted(world);
  const counts = (await counterItems(world))[`PROGRAM#${own.program.id}`];
  expect(counts).toMatchObject({ commissionUSD: cents });
}

const run = ({ at: time }: { at: Date }) => schedule({ time: time.toISOString() });

/** Runs the schedule and the consumer for some minutes. @param isStuck whether the consumer counts nothing meanwhile */
async function minutes(from: number, to: number, isStuck = false) {
  for (let minute = from; minute <= to; minute++) {
    if (!isStuck) await counted(world);
    await run(minutesLater(minute));
  }
}

const certain = { rate: 30, cents: 1470, month: '2026-11', sales: 3, is_final: true };

describe('a sale in the first moment of a month, in a program whose rate depends on the previous month’s sales,', () => {
  it('earns by all sales of the previous month, even by those not counted yet when this sale was recorded', async () => {
    for (let n = 0; n < 3; n++) await sell(lastMoment);
    const first = await sell(firstMoment);
    expect(await paidFor(first)).toEqual({ rate: 10, cents: 490, month: '2026-11', sales: 0, is_final: false });
    await minutes(1, 5);
    expect(await paidFor(first)).toEqual(certain);
    const { history } = await explained(first);
    expect(history.at(-1)).toEqual({
      at: expect.any(String),
      actor: 'operator',
      action: 'recalculated',
      from: 'pending',
      to: 'pending',
      amount_cents: 1470,
      reason: 'it became known what was sold in 2026-11',
    });
    expect(await paidFor(await sell(minutesLater(6)))).toEqual(certain);
    await expectNothingHalfWritten(world);
  });

  it('earns the same if the counters are an hour behind', async () => {
    for (let n = 0; n < 3; n++) await sell(lastMoment);
    const sales = [await sell(firstMoment)];
    await minutes(1, 4, true);
    sales.push(await sell(minutesLater(30)));
    await minutes(58, 60, true);
    for (const id of sales) expect(await paidFor(id)).toMatchObject({ rate: 10, is_final: false });
    await minutes(61, 63);
    for (const id of sales) expect(await paidFor(id)).toEqual(certain);
    await expectCommissionsCounted(certain.cents * 2 + 3 * 490);
  });

  it('gets no history row if the counters already had the final number when the sale was recorded', async () => {
    for (let n = 0; n < 3; n++) await sell(lastMoment);
    await counted(world);
    const first = await sell(firstMoment);
    expect(await paidFor(first)).toEqual({ ...certain, is_final: false });
    await minutes(1, 5);
    expect(await paidFor(first)).toEqual(certain);
    expect((await explained(first)).history).toHaveLength(1);
  });

  it('gets its final rate only when no request of the previous month can still write a sale', async () => {
    const first = await sell(firstMoment);
    await run(minutesLater(1));
    await counted(world);
    await run(minutesLater(1));
    // A request of the previous month may still write within two minutes.
    for (let n = 0; n < 3; n++) await sell(lastMoment);
    await minutes(2, 5);
    expect(await paidFor(first)).toEqual(certain);
  });
});

/** Makes more sales to one customer than are corrected in parallel. */
async function sellMany(brand: OwnedBrand): Promise<string[]> {
  const customer = fresh();
  await signedUp(brand, customer, firstMoment);
  const ids = Array.from({ length: 25 }, fresh);
  for (const id of ids) await sold(brand, { transaction_id: id, customer_key: customer }, firstMoment);
  return ids;
}

/** Sets the refunded total of a sale. */
const give = (id: string, cents: number, time: { at: Date }) =>
  refunded(own, { transaction_id: id, refund_amount_cents: cents, correction: true }, time.at);

describe('a sale of the previous month that is fully refunded, and whose refund a correction then lowers,', () => {
  const before = at('2026-11-30T12:00:00.000Z');

  it.each([
    ['up to date', false],
    ['behind', true],
  ])(
    'does not count for the new month’s tier if the correction is made in the new month, with counters that are %s',
    async (_, isStuck) => {
      const returned = await sell(before);
      await sell(before);
      await give(returned, 4900, before);
      await minutes(1, 3);
      await give(returned, 100, minutesLater(4));
      if (!isStuck) await counted(world);
      expect(await paidFor(await sell(minutesLater(5)))).toMatchObject({ rate: 10, month: '2026-11', sales: 1 });
      await expectNothingHalfWritten(world);
    },
  );

  it('counts for the new month’s tier if the correction is made before the previous month ends', async () => {
    const returned = await sell(before);
    await sell(before);
    await give(returned, 4900, before);
    await give(returned, 100, before);
    await minutes(1, 3);
    expect(await paidFor(await sell(minutesLater(5)))).toMatchObject({ rate: 30, month: '2026-11', sales: 2 });
  });
});

describe('a commission that was computed before all sales of the previous month were counted', () => {
  it('is corrected, and so is the deduction of its refund, in proportion', async () => {
    for (let n = 0; n < 3; n++) await sell(lastMoment);
    const first = await sell(firstMoment);
    await refunded(own, { transaction_id: first, refund_amount_cents: 2450 }, firstMoment.at);
    await minutes(1, 5);
    const { commission, refunds } = await explained(first);
    expect(commission).toMatchObject({ amount_cents: 1470, deducted_cents: 735, payable_cents: 735 });
    expect(refunds).toMatchObject([{ amount_cents: 2450, deduction_cents: 735 }]);
    await expectNothingHalfWritten(world);
  });

  it('stays unchanged if it was rejected, and still shows the number of sales that it was computed from', async () => {
    for (let n = 0; n < 3; n++) await sell(lastMoment);
    const first = await sell(firstMoment);
    const { commission } = await explained(first);
    const path = `${own.path}/commissions/${commission.id}/reject`;
    expect(await own.owner.post(path, { reason: 'No' }, firstMoment)).toMatchObject({ status: 200 });
    await minutes(1, 5);
    expect(await paidFor(first)).toEqual({ rate: 10, cents: 490, month: '2026-11', sales: 0, is_final: true });
  });

  it('is corrected once by later runs of the schedule if a run’s write fails or its reply is lost', async () => {
    for (let n = 0; n < 3; n++) await sell(lastMoment);
    const first = await sell(firstMoment);
    await minutes(1, 2);
    await counted(world);
    await failingTransactionOf(`SALE#${first}`, refused('InternalServerError'), () => run(minutesLater(3)));
    expect(await paidFor(first)).toMatchObject({ rate: 10 });
    await failingTransactionOf(`SALE#${first}`, replyLost, () => run(minutesLater(4)));
    expect(await paidFor(first)).toEqual(certain);
    await run(minutesLater(5));
    expect((await explained(first)).history).toHaveLength(2);
  });

  it('is corrected by its own partner’s sales only, however many partners there are', async () => {
    const ben = { ...own, ...(await anotherPartner(world, own, 'Ben')) };
    for (const brand of [own, own, ben]) {
      const id = fresh();
      await soldTo(brand, id, { transaction_id: id }, lastMoment);
    }
    const [ofAna, ofBen] = [await sellMany(own), await sellMany(ben)];
    await minutes(1, 5);
    for (const id of ofAna) expect(await paidFor(id)).toMatchObject({ rate: 30, sales: 2, is_final: true });
    for (const id of ofBen) expect(await paidFor(id)).toMatchObject({ rate: 10, sales: 1, is_final: true });
  });
});

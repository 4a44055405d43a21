import { describe, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { termsOfPayment } from '#lib/service/conversions/payments/terms-of-payment.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { anotherPartner, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { dependentTrips, sentCalls } from '#test/support/servers/sent-calls.ts';
import { counted, monthCounted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { World } from '#test/support/programs/world.ts';

const world = openedWorld();

let count = 0;
const fresh = (name: string) => `${name}-${++count}`;
const december = { at: new Date('2026-12-10T09:00:00.000Z') };

/** The commission of a sale. */
async function paidFor(own: OwnedBrand, transactionId: string) {
  const { data } = (await own.owner.get(`${own.path}/sales/${transactionId}`)).body;
  const { commission_rate: rate, terms, hold_until: until } = data.commission;
  return { rate, version: terms.version, from: terms.from, until };
}

const renewal = (customerKey: string) => ({
  transaction_id: fresh('renewal'),
  customer_key: customerKey,
  is_recurring: true,
});

const recurring = { commissionType: 'recurring_percent', commissionRate: 20 } as const;

/** Makes a renewal. @returns its round trips and its commission */
const renewed = async (own: OwnedBrand, customerKey: string) => {
  const body = renewal(customerKey);
  const calls = await sentCalls(() => send(sale, { key: own.key, body: { amount_cents: 4900, ...body } }));
  return { trips: dependentTrips(calls), ...(await paidFor(own, body.transaction_id)) };
};

/** Sales to separate customers. @returns their transaction ids */
const sellMany = async (own: OwnedBrand, sales: number, options: { at?: Date } = {}) => {
  const ids: string[] = [];
  for (let n = 0; n < sales; n++) {
    const id = fresh('tier');
    await soldTo(own, id, { transaction_id: id }, options);
    ids.push(id);
  }
  return ids;
};

/** Makes a sale at this time. @returns the rate of its commission */
const rateIn = async (own: OwnedBrand, options: { at: Date }) => {
  const [id] = await sellMany(own, 1, options);
  return (await paidFor(own, id!)).rate;
};

describe('a program that pays renewals by the terms of the customer’s first sale', () => {
  it('pays a renewal by those terms in two round trips to the table', async () => {
    const own = await ownedBrand(world, { ...recurring, termsApply: 'first_sale' });
    await soldTo(own, 'jane', { transaction_id: fresh('first') });
    await own.owner.patch(own.path, { commission_rate: 50, hold_period_days: 0 });
    expect(await renewed(own, 'jane')).toMatchObject({
      trips: 2,
      rate: 20,
      version: 1,
      until: '2026-12-05T15:00:00.000Z',
    });
    // First payments use the current terms, as does the renewal of a customer without a first sale.
    const again = fresh('again');
    await sold(own, { transaction_id: again, customer_key: 'jane' });
    expect(await paidFor(own, again)).toMatchObject({ rate: 50, version: 2 });
    await signedUp(own, 'kim');
    expect(await renewed(own, 'kim')).toMatchObject({ rate: 50, version: 2 });
    await own.owner.patch(own.path, { terms_apply: 'current' });
    expect(await renewed(own, 'jane')).toMatchObject({ trips: 2, rate: 50, version: 2 });
  });

  it('pays renewals by those terms also for customers who first bought before this setting, with one extra round trip', async () => {
    const own = await ownedBrand(world, recurring);
    const group = { name: 'Creators', terms: { commission_type: 'recurring_percent', commission_rate: 30 } };
    await soldTo(own, 'first', { transaction_id: fresh('first') });
    await own.owner.post(`${own.path}/groups`, group);
    await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { group_id: 1 });
    await soldTo(own, 'second', { transaction_id: fresh('first') });
    const personal = { commission_type: 'recurring_percent', commission_rate: 40 };
    await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { terms: personal });
    await soldTo(own, 'third', { transaction_id: fresh('first') });
    await own.owner.patch(own.path, { terms_apply: 'first_sale', commission_rate: 10 });
    // Only a version that no longer applies needs another read.
    expect(await renewed(own, 'third')).toMatchObject({ trips: 2, rate: 40, version: 3, from: 'partner' });
    expect(await renewed(own, 'second')).toMatchObject({ trips: 2, rate: 30, version: 2, from: 'group' });
    expect(await renewed(own, 'first')).toMatchObject({ trips: 3, rate: 20, version: 1, from: 'program' });
    const { table } = world.deps();
    await table.transact([{ name: 'lost', key: keys.termsVersion(own.program.id, 1), remove: true }]);
    expect(await renewed(own, 'first')).toMatchObject({ rate: 40, version: 3 });
  });

  it('uses its first version of the terms for customers whose first sale has no version stored', async () => {
    const own = await ownedBrand(world, { ...recurring, termsApply: 'first_sale' });
    const clickId = await signedUp(own, 'old');
    await sold(own, { transaction_id: fresh('first'), customer_key: 'old' });
    const { table } = world.deps();
    await table.update(keys.customer(clickId), { set: { firstTerms: undefined } });
    await table.update(keys.customerKey('old', own.program.id), { set: { firstTerms: undefined } });
    expect(await renewed(own, 'old')).toMatchObject({ rate: 20, version: 1 });
    await own.owner.patch(own.path, { commission_rate: 50 });
    expect(await renewed(own, 'old')).toMatchObject({ rate: 20, version: 1 });
  });
});

describe('commission tiers, whose rate depends on a partner’s monthly sales,', () => {
  const tiers = [
    { fromSales: 2, rate: 25 },
    { fromSales: 4, rate: 30 },
  ];
  it('are chosen by the number of sales in the last complete month, without those that were fully refunded in it', async () => {
    const own = await ownedBrand(world, { tiers });
    const ben = await anotherPartner(world, own, 'Ben');
    const [first] = await sellMany(own, 5);
    await sellMany({ ...own, ...ben }, 2);
    await refunded(own, { transaction_id: first });
    const half = (await sellMany(own, 1))[0];
    await refunded(own, { transaction_id: half, refunded_amount_cents: 2450 });
    expect((await paidFor(own, half!)).rate).toBe(20);
    await counted(world);
    // Ana has 5 counted sales in November; sales before and events after November do not affect the number.
    expect(await rateIn(own, december)).toBe(30);
    expect(await rateIn({ ...own, ...ben }, december)).toBe(25);
    expect(await rateIn(own, { at: new Date('2027-01-01T00:00:00.000Z') })).toBe(20);
  });

  it('count a sale in the month in which it was recorded, regardless of its payment time', async () => {
    const own = await ownedBrand(world, { tiers });
    const later = { at: new Date('2026-12-02T09:00:00.000Z') };
    const paidAt = '2026-11-30T09:00:00.000Z';
    for (const id of [1, 2, 3, 4].map(() => fresh('tier'))) {
      await signedUp(own, id, { at: new Date(paidAt) });
      await sold(own, { transaction_id: id, customer_key: id, amount_cents: 4900, occurred_at: paidAt }, later);
    }
    await counted(world);
    expect(await rateIn(own, december)).toBe(20);
    expect(await rateIn(own, { at: new Date('2027-01-10T09:00:00.000Z') })).toBe(30);
  });

  it('subtract a fully refunded sale in the month of its refund, not in the month in which it was recorded', async () => {
    const own = await ownedBrand(world, { tiers: [{ fromSales: 1, rate: 25 }] });
    const [first] = await sellMany(own, 1);
    await refunded(own, { transaction_id: first }, december.at);
    await counted(world);
    expect(await rateIn(own, { at: new Date('2026-12-11T09:00:00.000Z') })).toBe(25);
    await counted(world);
    // A sale and a refund in December give zero.
    expect(await rateIn(own, { at: new Date('2027-01-10T09:00:00.000Z') })).toBe(20);
  });

  it('use for a whole month the number that the first sale of that month stored; later sales take no extra round trip', async () => {
    const own = await ownedBrand(world, { tiers });
    await sellMany(own, 2);
    await monthCounted(world, december.at);
    await signedUp(own, 'late', december);
    const one = async (at: Date) => {
      const body = { transaction_id: fresh('late'), customer_key: 'late', amount_cents: 4900 };
      const calls = await sentCalls(() => send(sale, { key: own.key, body, at }));
      return { trips: dependentTrips(calls), rate: (await paidFor(own, body.transaction_id)).rate };
    };
    expect(await one(december.at)).toMatchObject({ rate: 25 });
    // Sales of November that are counted or refunded only now do not change the stored number.
    await sellMany(own, 4);
    await counted(world);
    expect(await one(december.at)).toEqual({ trips: 2, rate: 25 });
    const agreements = await world.deps().table.get(keys.agreements(own.program.id));
    expect(agreements).toMatchObject({ [`s${own.partner.id}`]: 202611_000000002 });
    // If a request from before midnight comes after a request of the next month, the later month's number stays.
    expect(await one(new Date('2026-11-30T23:59:59.999Z'))).toMatchObject({ rate: 20 });
    expect(await one(december.at)).toEqual({ trips: 2, rate: 25 });
  });

  it('use the same number of last month’s sales for all parallel sales', async () => {
    const own = await ownedBrand(world, { tiers });
    await sellMany(own, 4);
    await counted(world);
    const names = Array.from({ length: 8 }, () => fresh('race'));
    await Promise.all(names.map((name) => signedUp(own, name, december)));
    const bodies = names.map((name) => ({ transaction_id: name, customer_key: name }));
    await Promise.all(bodies.map((body) => sold(own, body, december)));
    for (const { transaction_id: id } of bodies) expect((await paidFor(own, id)).rate).toBe(30);
  });

  it('use the number of the month before a sale’s own month, even if a sale of the next month is recorded first', async () => {
    const own = await ownedBrand(world, { tiers });
    await sellMany(own, 2);
    await monthCounted(world, december.at);
    const customer = { partnerId: own.partner.id } as AttributedCustomer;
    const sales = async (deps: ReturnType<World['deps']>) =>
      (await termsOfPayment(deps, { ...own.program, tiers }, customer, { isRecurring: false })).monthlySales?.sales;
    const before = world.deps(new Date('2026-11-30T23:59:59.999Z'));
    // This request reads, before the next one, that no number is stored yet.
    await findAgreements(before.table, own.program.id);
    expect(await sales(world.deps(december.at))).toBe(2);
    expect(await sales(before)).toBe(0);
  });

  it('cause a reply 500 if the number of sales cannot be stored, and a retry succeeds', async () => {
    const own = await ownedBrand(world, { tiers });
    await signedUp(own, 'vain');
    const request = { key: own.key, body: { transaction_id: fresh('vain'), customer_key: 'vain', amount_cents: 4900 } };
    const reply = await failing('write', refused('InternalServerError'), () => send(sale, request));
    expect(reply.status).toBe(500);
    expect((await send(sale, request)).status).toBe(200);
  });

  it('of a group still apply to renewals of a customer whose first sale had them, after the group’s terms have changed', async () => {
    const own = await ownedBrand(world, { ...recurring, termsApply: 'first_sale' });
    const group = { commission_type: 'recurring_percent', commission_rate: 10, tiers: [{ from_sales: 2, rate: 60 }] };
    await own.owner.post(`${own.path}/groups`, { name: 'Creators', terms: group });
    await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { group_id: 1 });
    const [first] = await sellMany(own, 2);
    expect(await paidFor(own, first!)).toMatchObject({ rate: 10, from: 'group' });
    await own.owner.patch(`${own.path}/groups/1`, { terms: { ...group, commission_rate: 11, tiers: [] } });
    await counted(world);
    const body = renewal(first!);
    await sold(own, body, december);
    expect(await paidFor(own, body.transaction_id)).toMatchObject({ rate: 60, version: 2 });
  });

  it('need a percent commission: a request that changes only the type, to fixed, is refused with 400', async () => {
    const own = await ownedBrand(world, { tiers });
    const reply = await own.owner.patch(own.path, { commission_type: 'fixed' });
    expect(reply).toMatchObject({ status: 400, body: { error: { message: 'tiers need a percent type' } } });
    const both = await own.owner.patch(own.path, { commission_type: 'fixed', tiers: [] });
    expect(both).toMatchObject({ status: 200, body: { data: { commission_type: 'fixed', tiers: [] } } });
  });
});

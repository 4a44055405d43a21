import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { claimsIn } from '#lib/service/earnings/payouts/payouts-items.ts';
import { correctListings } from '#lib/service/reports/counting/corrected-listings-items.ts';
import { unlinkCustomer } from '#lib/service/traffic/customers/unlink-customer.ts';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { clicked, signedUp, sold, soldTo } from '#test/support/payments/journeys.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let own: OwnedBrand;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  own = await ownedBrand(world);
});

type Item = Record<string, unknown>;

const table = () => world.deps().table;
const correct = () => correctListings(table(), own.program.id);
const keyOf = ({ pk, sk }: Item): string => `${String(pk)} ${String(sk)}`;

/** What is listed with the partners of the brand's program, in the order of their lists. */
async function listed(): Promise<Record<string, string[]>> {
  const prefix = `PARTNER#${own.program.id}#`;
  const items = (await allItems(world)).filter(({ gsi2pk, gsi2sk }) => String(gsi2pk).startsWith(prefix) && gsi2sk);
  const lists = Map.groupBy(items, ({ gsi2pk }) => String(gsi2pk).slice(prefix.length));
  return Object.fromEntries(
    [...lists].map(([list, found]) => [
      list,
      found.toSorted((a, b) => (String(a.gsi2sk) < String(b.gsi2sk) ? -1 : 1)).map(keyOf),
    ]),
  );
}

/** Takes the partners' lists away, as if an earlier version had written everything. */
async function forgetLists(): Promise<void> {
  for (const { gsi2pk, gsi2sk, ...item } of await allItems(world)) {
    if (gsi2sk !== undefined && String(gsi2pk).startsWith(`PARTNER#${own.program.id}#`)) await world.replace(item);
  }
}

/** A payout's claims as earlier versions stored them. @returns the step's items */
async function claimedInSteps(payoutId: number): Promise<Item[]> {
  const claims = (await world.items(`PAYOUT#${payoutId}`)).filter(({ sk }) => String(sk).startsWith('CLAIM#'));
  const items = claims.map(({ partnerId, currency, amountCents, commissionIds }) => ({
    partnerId,
    currency,
    amountCents,
    commissionIds,
  }));
  const removed = claims.map(({ pk, sk }) => ({ name: 'it', key: { pk, sk }, remove: true }) as never);
  await table().transact(removed);
  await table().put(keys.payoutStep(payoutId, 1), { items });
  return items;
}

async function paid(at = HOLD_OVER): Promise<number> {
  const { status, body } = await own.owner.post(`${own.path}/payouts`, {}, { at });
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return body.data.id;
}

/** Customers by link and code, with and without lead; a payout; a commission that waits for the next one. */
async function history() {
  const cleo = await cleoWithCode(world, own);
  const id = (name: string) => `${name} of ${own.program.id}`;
  await clicked(own);
  const lead = await signedUp(own, id('lead'));
  await soldTo(own, id('buyer'), { transaction_id: id('first') });
  const clickId = await clicked(own);
  await sold(own, { transaction_id: id('direct'), click_id: clickId });
  await sold(own, { transaction_id: id('coded'), customer_key: id('coded'), coupon_code: 'save10' });
  const payoutId = await paid();
  await own.owner.patch(`${own.path}/payouts/${payoutId}`, { reference: 'SEPA 17' });
  await sold(own, { transaction_id: id('renewal'), customer_key: id('buyer') }, { at: HOLD_OVER });
  return { cleo, lead, payoutId, direct: clickId };
}

describe('what belongs to a partner', () => {
  it('is listed by the writes that make it', async () => {
    const { cleo, lead, payoutId, direct } = await history();
    const lists = await listed();
    expect(Object.fromEntries(Object.entries(lists).map(([list, found]) => [list, found.length]))).toEqual({
      [`${own.partner.id}#SETTLED_COMMISSIONS`]: 2,
      [`${own.partner.id}#OPEN_COMMISSIONS`]: 1,
      [`${own.partner.id}#CUSTOMERS`]: 3,
      [`${own.partner.id}#PAYOUTS`]: 1,
      [`${cleo.partner.id}#SETTLED_COMMISSIONS`]: 1,
      [`${cleo.partner.id}#CUSTOMERS`]: 1,
      [`${cleo.partner.id}#CODES`]: 1,
      [`${cleo.partner.id}#PAYOUTS`]: 1,
    });
    const customers = lists[`${own.partner.id}#CUSTOMERS`]!;
    expect([customers[0], customers[2]]).toEqual([`CUSTOMER#${lead} CUSTOMER`, `CUSTOMER#${direct} CUSTOMER`]);
    expect(lists[`${own.partner.id}#PAYOUTS`]).toEqual([`PAYOUT#${payoutId} CLAIM#000001#${own.partner.id}#USD`]);
  });

  it('that earlier versions wrote is listed by a rebuild, which changes nothing when it is repeated', async () => {
    const { payoutId } = await history();
    const before = await listed();
    const everything = await allItems(world);
    await forgetLists();
    await claimedInSteps(payoutId);
    await table().transact([{ name: 'it', key: keys.payoutReference(payoutId), remove: true }]);
    expect(await listed()).toEqual({});
    await correct();
    expect(await listed()).toEqual(before);
    expect(new Set(await allItems(world))).toEqual(new Set(everything));
    const calls = await sentCalls(correct);
    expect(calls.filter(({ writeUnits }) => writeUnits > 0)).toEqual([]);
  });

  it('follows a customer whom the operator unlinks', async () => {
    const clickId = await signedUp(own, `unlinked of ${own.program.id}`);
    await forgetLists();
    await correct();
    expect(await listed()).toEqual({ [`${own.partner.id}#CUSTOMERS`]: [`CUSTOMER#${clickId} CUSTOMER`] });
    await unlinkCustomer(world.deps(), clickId);
    expect(await listed()).toEqual({});
    await correct();
    expect(await listed()).toEqual({});
  });
});

describe('a payout whose steps were stored whole', () => {
  it('is read as before, also while its steps move', async () => {
    const { payoutId } = await history();
    const path = `${own.path}/payouts/${payoutId}`;
    const { body } = await own.owner.get(path);
    await claimedInSteps(payoutId);
    expect((await own.owner.get(path)).body).toEqual(body);
    const moving = await failing('query', overtakenBy(correct), () => claimsIn(table(), payoutId));
    expect(moving).toHaveLength(2);
    expect((await own.owner.get(path)).body).toEqual(body);
  });

  it('moves in portions when it holds more partners than a transaction takes', async () => {
    const payoutId = own.program.id * 1_000_000;
    const items = Array.from({ length: 150 }, (_, n) => ({
      partnerId: n + 1,
      currency: 'USD',
      amountCents: 100,
      commissionIds: [n + 1],
    }));
    // As it was before there were steps.
    const older = { id: payoutId, programId: own.program.id, items, createdAt: '2026-01-01T00:00:00.000Z' };
    const index = { gsi1pk: `PROGRAM#${own.program.id}#PAYOUTS`, gsi1sk: `${older.createdAt}#${payoutId}` };
    await table().put(keys.payout(payoutId), { ...older, ...index });
    const { body } = await own.owner.get(`${own.path}/payouts/${payoutId}`);
    await correct();
    expect((await own.owner.get(`${own.path}/payouts/${payoutId}`)).body).toEqual(body);
    const left = await world.items(`PAYOUT#${payoutId}`);
    expect(left.filter(({ sk }) => String(sk).startsWith('CLAIM#000000#'))).toHaveLength(150);
    expect(left).toHaveLength(151);
  });
});

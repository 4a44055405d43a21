import { beforeEach, describe, expect, it } from 'vitest';
import { unlinkCustomer } from '#lib/service/traffic/customers/unlink-customer.ts';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { HOLD_OVER, ownedBrand } from '#test/support/programs/commissions.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { clicked, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const own = opened(() => ownedBrand(world), beforeEach);

type Item = Record<string, unknown>;

const keyOf = ({ pk, sk }: Item): string => `${String(pk)} ${String(sk)}`;

/** The listed items of the program's partners, in list order. */
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

async function paid(at = HOLD_OVER): Promise<number> {
  const { status, body } = await own.owner.post(`${own.path}/payouts`, {}, { at });
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return body.data.id;
}

/** Creates customers by link and code, with and without a lead, and commissions in a payout and without one. */
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

describe('the index entries that list a partner’s customers, commissions and payouts', () => {
  it('are written in the same step as the items', async () => {
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
    expect(lists[`${own.partner.id}#PAYOUTS`]).toEqual([
      `PAYOUT#${payoutId} LINE#${String(own.partner.id).padStart(16, '0')}#USD`,
    ]);
  });

  it('disappear with a customer whom the operator unlinks from the partner', async () => {
    const clickId = await signedUp(own, `unlinked of ${own.program.id}`);
    expect(await listed()).toEqual({ [`${own.partner.id}#CUSTOMERS`]: [`CUSTOMER#${clickId} CUSTOMER`] });
    await unlinkCustomer(world.deps(), clickId);
    expect(await listed()).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import { anotherPartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { earned, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { refusal } from '#test/support/servers/errors.ts';

const world = openedWorld();
const LATER = new Date('2026-12-20T10:00:00.000Z');

const preview = (own: OwnedBrand, body: object) => own.owner.post(`${own.path}/payouts/preview`, body, { at: LATER });
const pay = (own: OwnedBrand, body: object) => own.owner.post(`${own.path}/payouts`, body, { at: LATER });

/** Ana is due 9.80 dollars and 9.80 euros, Ben 9.80 dollars. */
async function twoPartners() {
  const own = await ownedBrand(world);
  const ben = await anotherPartner(world, own, 'Ben');
  await earned(own, 1);
  await earned(own, 1, { currency: 'EUR' });
  await soldTo({ ...own, ...ben }, 'of ben', { transaction_id: `of ben ${own.program.id}` });
  return { own, ana: own.partner.id, ben: ben.partner.id };
}

describe('a payout request that selects partners, currency or method gets 400', () => {
  const lists = 'Send only one of partner_id, partner_ids and except_partner_ids';
  it.each<[object, string]>([
    [{ partner_ids: [] }, 'partner_ids must be a list of 1 to 10000 partner ids'],
    [{ partner_ids: 'x' }, 'partner_ids must be a list of 1 to 10000 partner ids'],
    [{ partner_ids: [1, 1] }, 'partner_ids must be a list of 1 to 10000 partner ids'],
    [{ partner_ids: ['1'] }, 'partner_ids must be a list of 1 to 10000 partner ids'],
    [
      { except_partner_ids: Array.from({ length: 10_001 }, (_, n) => n + 1) },
      'except_partner_ids must be a list of 1 to 10000 partner ids',
    ],
    [{ partner_ids: [1], except_partner_ids: [2] }, lists],
    [{ method: 'cash' }, 'Invalid method: cash. Valid: bank, paypal, wise, other'],
    [{ currency: 'XXX' }, 'Invalid currency: XXX. Valid: USD, EUR, VND'],
    [{ only_with_details: 'yes' }, 'only_with_details must be a boolean'],
  ])('if the selection is %j', async (body, message) => {
    const own = await ownedBrand(world);
    expect(await preview(own, body)).toMatchObject(refusal(400, message));
    expect(await pay(own, body)).toMatchObject(refusal(400, message));
  });

  it('if it names one partner in one field and several in another', async () => {
    const own = await ownedBrand(world);
    const body = { partner_id: own.partner.id, partner_ids: [own.partner.id] };
    expect(await pay(own, body)).toMatchObject(refusal(400, lists));
  });
});

describe('a payout request that selects partners, currency or method', () => {
  it.each<[string, (ids: { ana: number; ben: number }) => object, string[]]>([
    ['some partners', ({ ben }) => ({ partner_ids: [ben, 999_999] }), ['ben USD']],
    ['all but some', ({ ben }) => ({ except_partner_ids: [ben] }), ['ana EUR', 'ana USD']],
    ['a currency', () => ({ currency: 'EUR' }), ['ana EUR']],
    ['a method that no one has', () => ({ method: 'paypal' }), []],
    ['those with details', () => ({ only_with_details: true }), []],
    ['everyone', () => ({ only_with_details: false }), ['ana EUR', 'ana USD', 'ben USD']],
  ])('pays only %s, and its preview lists what is left out', async (_, bodyOf, expected) => {
    const { own, ana, ben } = await twoPartners();
    const named = (rows: readonly { readonly partner_id: number; readonly currency: string }[]) =>
      rows.map(({ partner_id: id, currency }) => `${id === ana ? 'ana' : 'ben'} ${currency}`);
    const { items, left_out: leftOut, counts } = (await preview(own, bodyOf({ ana, ben }))).body.data;
    expect(named(items)).toEqual(expected);
    expect([...named(items), ...named(leftOut)].toSorted()).toEqual(['ana EUR', 'ana USD', 'ben USD']);
    expect(counts).toMatchObject({ lines: expected.length, left_out: 3 - expected.length });
    const made = await pay(own, bodyOf({ ana, ben }));
    expect([made.status, named(made.body.data?.items ?? [])]).toEqual([expected.length === 0 ? 409 : 200, expected]);
  });
});

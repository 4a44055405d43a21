import { describe, expect, it } from 'vitest';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { anotherPartner, clicked, sold } from '#test/support/payments/lives/journeys.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Amounts below the program's minimum are carried over to later payouts.

const world = openedWorld();

const at = { at: HOLD_OVER };
const setMinimum = async (own: OwnedBrand, cents: number) =>
  expect((await own.owner.patch(own.path, { minimum_payout_cents: cents })).body.data).toMatchObject({
    minimum_payout_cents: cents,
  });
const preview = async (own: OwnedBrand, body: object = {}) =>
  (await own.owner.post(`${own.path}/payouts/preview`, body, at)).body.data;
const pay = (own: OwnedBrand, body: object = {}) => own.owner.post(`${own.path}/payouts`, body, at);
const owed = async (own: OwnedBrand) => (await own.owner.get(`${own.path}/owed`, at)).body.data;
const nothing = refusal(409, 'No approved commissions to pay out');

/** A program in which Ana is due 9.80 dollars and 9.80 euros, and Ben 19.60 dollars. */
async function twoPartners(minimumCents: number) {
  const own = await ownedBrand(world);
  await earned(own, 1);
  await earned(own, 1, { currency: 'EUR' });
  const ben = await anotherPartner(world, own, 'Ben');
  const clickId = await clicked(ben);
  await sold(own, { transaction_id: `of Ben ${own.program.id}`, click_id: clickId, amount_cents: 9_800 });
  await setMinimum(own, minimumCents);
  return { own, ben };
}

describe('a partner’s balance below the minimum payout', () => {
  it('in the program’s currency is left out of previews, payouts and the amount due; other currencies have no minimum', async () => {
    const { own, ben } = await twoPartners(981);
    const shown = await preview(own);
    expect(shown.totals).toEqual({ EUR: 980, USD: 1_960 });
    expect(shown.left_out).toMatchObject([
      { partner_id: own.partner.id, currency: 'USD', amount_cents: 980, reason: 'below_minimum' },
    ]);
    expect(await owed(own)).toMatchObject({
      EUR: { approved_cents: 980, due_now_cents: 980 },
      USD: { approved_cents: 980 + 1_960, due_now_cents: 1_960, balance_cents: 0 },
    });
    const made = (await pay(own, { expected_totals: shown.totals })).body.data;
    expect(made).toMatchObject({
      totals: shown.totals,
      items: [
        { partner_id: own.partner.id, currency: 'EUR', amount_cents: 980 },
        { partner_id: ben.partner.id, currency: 'USD', amount_cents: 1_960 },
      ],
    });
    expect(await pay(own)).toMatchObject(nothing);
  });

  it('is paid once it reaches the minimum', async () => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    await setMinimum(own, 1_960);
    expect(await pay(own)).toMatchObject(nothing);
    await own.owner.post(`${own.path}/partners/${own.partner.id}/commissions`, {
      amount_cents: 980,
      currency: 'USD',
      reason: 'Bonus',
    });
    expect((await preview(own)).left_out).toEqual([]);
    expect((await pay(own)).body.data.totals).toEqual({ USD: 1_960 });
  });

  it('is shown as due on the day on which the end of further hold periods raises it to the minimum', async () => {
    const own = await ownedBrand(world);
    await earned(own, 1);
    await setMinimum(own, 1_500);
    await earned(own, 1, {}, HOLD_OVER);
    const { USD } = await owed(own);
    expect(USD).toMatchObject({ due_now_cents: 0, by_date: [{ on: '2026-12-20', amount_cents: 1_960 }] });
  });

  it('is also left out as below the minimum if the payout request names only that partner, or another one', async () => {
    const { own, ben } = await twoPartners(981);
    expect((await preview(own, { partner_id: ben.partner.id })).left_out).toMatchObject([
      { currency: 'EUR', reason: 'not_chosen' },
      { currency: 'USD', reason: 'below_minimum' },
    ]);
    expect(await pay(own, { partner_id: own.partner.id })).toMatchObject({ body: { data: { totals: { EUR: 980 } } } });
  });
});

it('a payout uses the minimum that it read at its start, even if the minimum changes before it writes', async () => {
  const { own } = await twoPartners(0);
  const change = () => setMinimum(own, 2_000);
  const first = await failing('write', overtakenBy(change), () => pay(own));
  expect(first.body.data.totals).toEqual({ EUR: 980, USD: 980 + 1_960 });
  expect(await pay(own)).toMatchObject(nothing);
});

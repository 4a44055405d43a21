import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { anotherPartner, soldTo } from '#test/support/payments/journeys.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { refusedReply, dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// What one partner is owed.

const world = openedWorld();

const amounts = (changes: object) => ({
  pending_cents: 0,
  approved_cents: 0,
  held_cents: 0,
  due_now_cents: 0,
  balance_cents: 0,
  by_date: [],
  ...changes,
});

const owedTo = async (own: OwnedBrand, partnerId: unknown, at = NOW) =>
  (await own.owner.get(`${own.path}/owed?partner_id=${String(partnerId)}`, { at })).body.data;

/** Ana has a commission in dollars that is approved and one that waits, Ben one in dollars and one in euros. */
async function scene() {
  const own = await ownedBrand(world);
  const ben = await anotherPartner(world, own, 'Ben');
  const ofBen = { ...own, ...ben };
  const [approved] = (await earned(own, 2)) as [number];
  await own.owner.post(`${own.path}/commissions/${approved}/approve`);
  const name = (what: string) => `${what}-${own.program.id}`;
  const { commission_id: id } = await soldTo(ofBen, name('b1'), { transaction_id: name('b1'), amount_cents: 1000 });
  await soldTo(ofBen, name('b2'), { transaction_id: name('b2'), currency: 'EUR' });
  return { own, ana: own.partner.id, ben: ben.partner.id, ofBen: id };
}

const dec5 = (cents: number) => [{ on: '2026-12-05', amount_cents: cents }];

describe('200', () => {
  it('is the partner’s share of what the program owes', async () => {
    const { own, ana, ben } = await scene();
    expect(await own.owner.get(`${own.path}/owed?partner_id=${ana}`, { at: new Date('2026-11-21') })).toEqual(
      dataReply(
        {
          USD: amounts({ pending_cents: 980, approved_cents: 980, due_now_cents: 980, by_date: dec5(980) }),
        },
        1,
        new Date('2026-11-21'),
      ),
    );
    expect(await owedTo(own, ben)).toEqual({
      EUR: amounts({ pending_cents: 980, by_date: dec5(980) }),
      USD: amounts({ pending_cents: 200, by_date: dec5(200) }),
    });
    expect((await own.owner.get(`${own.path}/owed`)).body.data).toEqual({
      EUR: amounts({ pending_cents: 980, by_date: dec5(980) }),
      USD: amounts({ pending_cents: 1180, approved_cents: 980, due_now_cents: 980, by_date: dec5(1180) }),
    });
    const { due_now_cents: due } = (await owedTo(own, ana, HOLD_OVER)).USD;
    const preview = await own.owner.post(`${own.path}/payouts/preview`, { partner_id: ana }, { at: HOLD_OVER });
    expect(preview.body.data.totals).toEqual({ USD: due });
  });

  it('is empty for a partner who has earned nothing', async () => {
    const { own } = await scene();
    const { data } = (await own.owner.post(`${own.path}/partners`, { name: 'Cid', email: newAddress() })).body;
    expect(await owedTo(own, data.id)).toEqual({});
  });

  it('goes on for a partner who was removed', async () => {
    const { own, ana } = await scene();
    await own.owner.patch(`${own.path}/partners/${ana}`, { status: 'removed' });
    expect(await owedTo(own, ana)).toMatchObject({ USD: { due_now_cents: 980 } });
  });

  it('is due now what an open payout is to hold of the partner, which comes before any other', async () => {
    const { own, ana, ben } = await scene();
    const id = 1_000_000;
    const open = { id, programId: own.program.id, status: 'open', items: [], createdAt: NOW.toISOString(), steps: 1 };
    const { table } = world.deps();
    await table.put(keys.payout(id), { ...open, partnerId: ben });
    await table.put(keys.openPayout(own.program.id), { payoutId: id });
    expect((await owedTo(own, ana, HOLD_OVER)).USD).toEqual(amounts({ approved_cents: 1960 }));
    expect((await owedTo(own, ben, HOLD_OVER)).USD).toEqual(amounts({ approved_cents: 200, due_now_cents: 200 }));
  });

  it('is nothing of what was rejected or paid', async () => {
    const { own, ana, ben, ofBen } = await scene();
    await own.owner.post(`${own.path}/commissions/${ofBen}/reject`, { reason: 'Fraud' });
    await own.owner.post(`${own.path}/payouts`, { partner_id: ana });
    expect(await owedTo(own, ben)).toEqual({ EUR: amounts({ pending_cents: 980, by_date: dec5(980) }) });
    expect(await owedTo(own, ana)).toEqual({ USD: amounts({ pending_cents: 980, by_date: dec5(980) }) });
  });
});

describe('404 Partner not found', () => {
  it.each(['999999', '0', '-1', '', 'x', 'ana@partners.test', '9'.repeat(30)])('%j', async (id) => {
    const own = await ownedBrand(world);
    expect(await own.owner.get(`${own.path}/owed?partner_id=${id}`)).toEqual(refusedReply(404, 'Partner not found'));
  });

  it('of another program', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    await earned(other, 1);
    const reply = await own.owner.get(`${own.path}/owed?partner_id=${other.partner.id}`);
    expect(reply.body).toEqual(platformError(404, 'Partner not found'));
  });
});

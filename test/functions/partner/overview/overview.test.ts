import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { portal } from '#test/support/callers/portal.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { NOW } from '#test/support/callers/request.ts';
import { anotherPartner, clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { held, holdAds } from '#test/support/payments/held.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { counted } from '#test/support/table/stream.ts';

const world = openedWorld();
const DAY_MS = 86_400_000;

const M = {
  earned_cents: 0,
  pending_cents: 0,
  in_review_cents: 0,
  ready_cents: 0,
  held_back_cents: 0,
  paid_cents: 0,
  on_the_way_cents: 0,
};

let people = 0;
const newName = () => `Person${++people}`;

/** A person of this name who is a partner of a new program. */
async function partnerOf(name = newName()) {
  const own = await ownedBrand(world);
  const brand = { ...own, ...(await anotherPartner(world, own, name)) };
  const person = await signedInAs(world, brand.partner.email);
  await accepted(person, own.path);
  const row = {
    program_id: own.program.id,
    status: 'active',
    brand: { name: own.program.name, logo_url: null, accent: null },
    link: { short_link: brand.shortLink, url: brand.affiliateUrl },
    clicks: 0,
    sales: 0,
    amounts: {},
    next_payout_on: null,
  };
  let sales = 0;
  const sale = async (at = NOW): Promise<{ readonly id: string; readonly commission: number }> => {
    const id = `overview ${own.program.id} ${++sales}`;
    await signedUp(brand, id, { at });
    const { commission_id: commission } = await sold(own, { transaction_id: id, customer_key: id }, { at });
    return { id, commission };
  };
  return { own, brand, person, row, sale, overview: (at = NOW) => portal(person.token).get('/overview', { at }) };
}

describe('GET /overview', () => {
  it('shows this month’s figures, and the amounts by commission status after refunds and rejections', async () => {
    const its = await partnerOf();
    const { own, brand, sale } = its;
    const { owner, path } = own;
    await sale(new Date(NOW.getTime() - 25 * DAY_MS));
    const [kept, returned, rejected, paid] = [await sale(), await sale(), await sale(), await sale()];
    await refunded(own, { transaction_id: returned.id, refund_amount_cents: 1000 });
    await owner.post(`${path}/commissions/${rejected.commission}/reject`, { reason: 'Own purchase' });
    await owner.post(`${path}/commissions/${paid.commission}/approve`, {});
    await owner.post(`${path}/payouts`, { partner_id: brand.partner.id });
    await owner.post(`${path}/commissions/${kept.commission}/approve`, {});
    await clicked(brand);
    await counted(world);
    await owner.patch(path, { payout_days: [1, 25] });
    const USD = {
      ...M,
      // Three of 980, one of them less 200.
      earned_cents: 2_740,
      pending_cents: 780,
      ready_cents: 980,
      paid_cents: 1_960,
      on_the_way_cents: 1_960,
    };
    const row = { ...its.row, clicks: 5, sales: 4, amounts: { USD }, next_payout_on: '2026-11-25' };
    const reply = await its.overview();
    expect(reply).toEqual({
      ...dataReply({
        month: '2026-11',
        programs: [row],
        totals: { USD },
        next_payout_on: '2026-11-25',
        complete: true,
      }),
      headers: expect.anything(),
    });
  });

  it('shows no programs and no amounts to a person without programs', async () => {
    const { token } = await signedInAs(world);
    expect(await portal(token).get('/overview')).toEqual(
      dataReply({ month: '2026-11', programs: [], totals: {}, next_payout_on: null, complete: true }),
    );
  });

  it('adds up the amounts of all programs, and lists active programs before those that the person left, newest first', async () => {
    const name = newName();
    const its = [await partnerOf(name), await partnerOf(name), await partnerOf(name)];
    for (const { own, brand } of its) {
      const grant = { amount_cents: 700, currency: own === its[0]!.own ? 'EUR' : 'USD', reason: 'Thanks' };
      await own.owner.post(`${own.path}/partners/${brand.partner.id}/commissions`, grant);
      await own.owner.patch(own.path, { payout_days: [(own.program.id % 20) + 1] });
    }
    await counted(world);
    const { person } = its[0]!;
    await portal(person.token).post(`${its[2]!.own.path}/leave`, {});
    const { data } = (await its[0]!.overview()).body;
    const order = [its[1]!, its[0]!, its[2]!].map(({ own }) => own.program.id);
    expect(data.programs.map((row: { program_id: number }) => row.program_id)).toEqual(order);
    expect(data.programs[2]).toMatchObject({ status: 'removed', link: null, amounts: { USD: { ready_cents: 700 } } });
    expect(data.totals).toEqual({
      EUR: { ...M, earned_cents: 700, ready_cents: 700 },
      USD: { ...M, earned_cents: 1_400, ready_cents: 1_400 },
    });
    const days = data.programs.map((row: { next_payout_on: string }) => row.next_payout_on);
    expect(data.next_payout_on).toBe(days.toSorted()[0]);
  });

  it('leaves sandbox programs out of the sums', async () => {
    const its = await partnerOf();
    await world.deps().table.update(keys.program(its.own.program.id), { set: { isSandbox: true } });
    await its.own.owner.patch(its.own.path, { payout_days: [1] });
    await its.sale();
    await counted(world);
    const { data } = (await its.overview()).body;
    expect(data).toMatchObject({ programs: [{ sales: 1 }], totals: {}, next_payout_on: null });
  });

  it('shows the partner’s first link that is switched on, or null if every link is switched off', async () => {
    const its = await partnerOf();
    const { own, brand } = its;
    await own.owner.patch(`${own.path}/links/${brand.shortLink}`, { status: 'inactive' });
    expect((await its.overview()).body.data.programs[0].link).toBeNull();
    const { data: made } = (await portal(its.person.token).post(`${own.path}/links`, {})).body;
    expect((await its.overview()).body.data.programs[0].link).toEqual({ short_link: made.short_link, url: made.url });
  });

  it('shows an amount that is in review only as in review, not as pending', async () => {
    const its = await partnerOf();
    await holdAds(world, its.own);
    await held(world, its.brand);
    await counted(world);
    const { data } = (await its.overview()).body;
    expect(data.totals).toEqual({ USD: { ...M, in_review_cents: 980 } });
  });

  it('shows no payout day to a person who left the program and is owed nothing', async () => {
    const its = await partnerOf();
    const { own, person } = its;
    await own.owner.patch(own.path, { payout_days: [1] });
    await portal(person.token).post(`${own.path}/leave`, {});
    const { data } = (await its.overview()).body;
    expect(data).toMatchObject({ programs: [{ status: 'removed', next_payout_on: null }], next_payout_on: null });
  });

  it('leaves out programs where the person is only invited or has applied', async () => {
    const own = await ownedBrand(world);
    const email = newAddress('overview');
    await own.owner.post(`${own.path}/partners`, { name: 'Ida', email, invite: true });
    const { token } = await signedInAs(world, email);
    expect((await portal(token).get('/overview')).body.data.programs).toEqual([]);
  });

  it('is answered 401 without a session', async () => {
    expect((await portal().get('/overview')).status).toBe(401);
  });
});

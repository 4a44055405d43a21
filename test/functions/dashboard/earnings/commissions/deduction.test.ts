import { describe, expect, it } from 'vitest';
import { earned, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failing, overtakenBy, replyLost, sentAgain } from '#test/support/table/faults.ts';
import { leftBehind } from '#test/support/table/invariants.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { keys } from '#lib/service/ground/table/keys.ts';

const world = openedWorld();

const deduction = { amount_cents: 500, currency: 'USD', reason: 'Paid too much', deduction: true };
const bonus = { amount_cents: 300, currency: 'USD', reason: 'Bonus' };

const pathOf = ({ path, partner }: OwnedBrand) => `${path}/partners/${partner.id}/commissions`;
const grant = (own: OwnedBrand, body: object = deduction) => own.owner.post(pathOf(own), body);
const owed = async ({ owner, path }: OwnedBrand) => (await owner.get(`${path}/owed`)).body.data.USD;
const payOut = ({ owner, path }: OwnedBrand) => owner.post(`${path}/payouts`);
const listed = async ({ owner, path }: OwnedBrand) => (await owner.get(`${path}/commissions`)).body.data;

describe('a deduction, which an owner grants by hand to lower what a partner is owed,', () => {
  it('is an approved commission below zero, and reports count it on the day on which it is granted', async () => {
    const own = await ownedBrand(world);
    const { body } = await grant(own);
    expect(body.data).toMatchObject({
      kind: 'manual',
      status: 'approved',
      amount_cents: -500,
      deducted_cents: 0,
      payable_cents: -500,
      paid_out_cents: 0,
      external_id: null,
      reason: 'Paid too much',
    });
    await counted(world);
    expect((await counterItems(world))[`PROGRAM#${own.program.id}`]).toEqual({
      commissionUSD: -500,
      'commissionUSD@2026-11-20': -500,
    });
    const [audited] = (await own.owner.get('/workspace/audit')).body.data;
    expect(audited).toMatchObject({
      action: 'commission.granted',
      changes: { amount_cents: { from: null, to: -500 } },
    });
  });

  it('stays open while it exceeds the partner’s other commissions, and then lowers the next payout', async () => {
    const own = await ownedBrand(world);
    const { token } = await signedInAs(world, 'ana@partners.test');
    const balance = async () => (await portal(token).get(`${own.path}/balance`)).body.data.USD;
    await grant(own);
    await grant(own, bonus);
    expect(await owed(own)).toMatchObject({ approved_cents: -200, due_now_cents: 0, balance_cents: -200 });
    expect(await balance()).toMatchObject({ approved_cents: 300, withheld_cents: 500, paid_cents: 0 });
    expect((await payOut(own)).status).toBe(409);
    const [id] = await earned(own, 1);
    await own.owner.post(`${own.path}/commissions/${id}/approve`);
    expect(await owed(own)).toMatchObject({ approved_cents: 780, due_now_cents: 780 });
    const { items, totals } = (await payOut(own)).body.data;
    expect([items[0].amount_cents, totals, items[0].commission_ids.length]).toEqual([780, { USD: 780 }, 3]);
    expect(await listed(own)).toMatchObject([
      { status: 'paid', paid_out_cents: 980 },
      { status: 'paid', paid_out_cents: 300 },
      { status: 'paid', paid_out_cents: -500, payable_cents: -500 },
    ]);
    expect(await owed(own)).toBeUndefined();
    await counted(world);
    expect(await balance()).toMatchObject({ approved_cents: 0, withheld_cents: 0, paid_cents: 780 });
    expect((await own.owner.get(`${own.path}/commissions.csv`)).body).toContain(',paid,USD,,-500,0,-500,');
  });

  it('can be granted to a removed partner, even if the partner is removed in parallel', async () => {
    const own = await ownedBrand(world);
    const remove = () => own.owner.patch(`${own.path}/partners/${own.partner.id}`, { status: 'removed' });
    expect((await failing('write', overtakenBy(remove), () => grant(own))).status).toBe(200);
    expect((await grant(own)).status).toBe(200);
    const none = 'No partner-program relationship found for this partner';
    expect(await grant(own, { ...deduction, deduction: false })).toMatchObject(refusal(409, none));
    const other = (
      await own.owner.post(`${own.path}/partners`, { name: 'Bo', email: 'bo@partners.test', invite: true })
    ).body.data;
    expect(other.status).toBe('invited');
    expect(await own.owner.post(`${own.path}/partners/${other.id}/commissions`, deduction)).toMatchObject(
      refusal(409, none),
    );
  });

  it('can be reopened and rejected by members if it is within their limit', async () => {
    const own = await ownedBrand(world);
    const { id } = (await grant(own)).body.data;
    await own.owner.patch(own.path, { member_approval_cents: 499 });
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    const act = (by: typeof member, what: string) =>
      by.post(`${own.path}/commissions/${id}/${what}`, { reason: 'No deduction' });
    expect((await act(member, 'reopen')).status).toBe(403);
    expect((await act(own.owner, 'reopen')).body.data).toMatchObject({ status: 'pending', amount_cents: -500 });
    expect(await owed(own)).toMatchObject({ pending_cents: -500, approved_cents: 0, balance_cents: 0, by_date: [] });
    expect((await act(member, 'approve')).status).toBe(403);
    expect((await act(member, 'reject')).status).toBe(403);
    expect((await act(own.owner, 'reject')).body.data).toMatchObject({ status: 'rejected' });
    expect(await owed(own)).toBeUndefined();
  });

  it('is refused if `deduction` is not a boolean or the amount is not positive', async () => {
    const own = await ownedBrand(world);
    expect(await grant(own, { ...deduction, deduction: 'yes' })).toMatchObject(
      refusal(400, 'deduction must be a boolean'),
    );
    expect(await grant(own, { ...deduction, amount_cents: -500 })).toMatchObject(
      refusal(400, 'amount_cents must be a positive integer'),
    );
    expect((await grant(own, { ...bonus, deduction: null, external_id: null })).body.data).toMatchObject({
      amount_cents: 300,
      external_id: null,
    });
  });
});

describe('a commission that an owner grants by hand with an external id', () => {
  const named = { ...bonus, external_id: ' bonus 1 ' };

  it('is created once: a repeated request returns the commission’s current state and writes nothing', async () => {
    const own = await ownedBrand(world);
    const first = (await grant(own, named)).body.data;
    expect(first).toMatchObject({ amount_cents: 300, external_id: 'bonus 1' });
    expect(await world.deps().table.get(keys.externalId(own.program.id, 'bonus 1'))).toMatchObject({
      commissionId: first.id,
    });
    await payOut(own);
    let again: Awaited<ReturnType<typeof grant>> | undefined;
    const left = await leftBehind(
      world,
      async () => (again = await grant(own, { ...named, reason: 'Said otherwise' })),
    );
    expect(again!.body.data).toMatchObject({ id: first.id, status: 'paid', reason: 'Bonus', external_id: 'bonus 1' });
    expect(left.filter(({ pk }) => !String(pk).startsWith('WINDOW#'))).toEqual([]);
    await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { status: 'removed' });
    expect((await grant(own, named)).body.data).toMatchObject({ id: first.id });
  });

  it('is refused if a commission of the program with that external id has another partner, amount, currency or sign', async () => {
    const own = await ownedBrand(world);
    const { id } = (await grant(own, named)).body.data;
    const taken = refusal(409, `external_id is already used by commission ${id}`);
    for (const change of [{ amount_cents: 301 }, { currency: 'EUR' }, { deduction: true }]) {
      expect(await grant(own, { ...named, ...change })).toMatchObject(taken);
    }
    const other = (await own.owner.post(`${own.path}/partners`, { name: 'Bo', email: 'bo@partners.test' })).body.data;
    expect(await own.owner.post(`${own.path}/partners/${other.id}/commissions`, named)).toMatchObject(taken);
    expect(await listed(own)).toHaveLength(1);
    expect((await grant(await ownedBrand(world), named)).status).toBe(200);
  });

  it.each([5, '', '  ', 'x'.repeat(256)])('is refused with 400 for the external id %j', async (externalId) => {
    const own = await ownedBrand(world);
    const invalid = refusal(400, 'external_id must be a string of 1 to 255 characters');
    expect(await grant(own, { ...named, external_id: externalId })).toMatchObject(invalid);
  });

  it('is accepted if the external id has 255 characters', async () => {
    const own = await ownedBrand(world);
    const externalId = '日'.repeat(255);
    expect((await grant(own, { ...named, external_id: externalId })).body.data).toMatchObject({
      external_id: externalId,
    });
  });

  it('is created once by many parallel requests, all of which return that commission', async () => {
    const own = await ownedBrand(world);
    const replies = await Promise.all(Array.from({ length: 12 }, () => grant(own, named)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await listed(own)).toHaveLength(1);
    const audited = (await own.owner.get('/workspace/audit?limit=100')).body.data as { action: string }[];
    expect(audited.filter(({ action }) => action === 'commission.granted')).toHaveLength(1);
  });

  it.each([
    ['is sent again', sentAgain],
    ['was applied, but its reply is lost', replyLost],
  ])('is created once if its write %s', async (_, fault) => {
    const own = await ownedBrand(world);
    await failing('write', fault, () => grant(own, named));
    expect((await grant(own, named)).status).toBe(200);
    expect(await listed(own)).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { cancelled, failingEveryWrite } from '#test/support/table/faults.ts';
import { anotherPartner, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const sent = { commission_type: 'recurring_percent', commission_rate: 30, duration_months: 12 };
const terms = { ...sent, hold_period_days: 15, lead_commission_cents: 0, tiers: [] };

const groupOf = async (own: OwnedBrand, name = 'Creators', more: object = {}) =>
  (await own.owner.post(`${own.path}/groups`, { name, terms: { ...sent, ...more } })).body.data;
const partnerPath = (own: OwnedBrand, { id } = own.partner) => `${own.path}/partners/${id}`;
const inForce = async (own: OwnedBrand) => (await own.owner.get(partnerPath(own))).body.data;
/** A sale and its commission by these terms. */
const paid = (cents: number, by: object) => ({ id: expect.any(Number), terms: by, sale: by, cents });

/** Creates groups in parallel. @returns their ids, or the refusal */
async function madeAtOnce(count: number): Promise<unknown[]> {
  const own = await ownedBrand(world);
  const names = Array.from({ length: count }, (_, at) => `Group ${at}`);
  const make = async (name: string) => own.owner.post(`${own.path}/groups`, { name, terms: sent });
  // Creates a group and retries, because a busy machine may ask to retry later.
  const patient = async (name: string): ReturnType<typeof make> => {
    const reply = await make(name);
    return reply.status === 429 ? patient(name) : reply;
  };
  const replies = await Promise.all(names.map(patient));
  const made = replies.map(({ status, body }) => (status === 200 ? Number(body.data.id) : body));
  return made.toSorted((a, b) => Number(a) - Number(b));
}
const idsUpTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('parallel requests that change a program’s terms', () => {
  it('create all groups if eight requests create one each', async () => {
    expect(await madeAtOnce(8)).toEqual(idsUpTo(8));
  });

  it(
    'fail with 429, and say when to try again, if other requests were written first at every attempt',
    { tags: ['deep'] },
    async () => {
      const own = await ownedBrand(world);
      const ask = () => own.owner.post(`${own.path}/groups`, { name: 'Creators', terms: sent });
      const lost = cancelled(() => 'ConditionalCheckFailed');
      const reply = await failingEveryWrite(lost, ask);
      const message = 'Too many requests. Try again in 1 seconds.';
      expect(reply.status).toBe(429);
      expect(reply.body).toEqual({ error: { status: 429, code: 'rate_limited', message, retry_after_seconds: 1 } });
      expect((await own.owner.get(`${own.path}/groups`)).body.data).toEqual([]);
    },
  );

  it('create all groups if fifty requests create one each', { tags: ['deep'] }, async () => {
    expect(await madeAtOnce(50)).toEqual(idsUpTo(50));
  });

  it('create one group if eight requests send the same name', async () => {
    const own = await ownedBrand(world);
    const create = () => own.owner.post(`${own.path}/groups`, { name: 'Same', terms: sent });
    const replies = await Promise.all(Array.from({ length: 8 }, create));
    expect(statusesOf(replies)).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  });
});

describe('groups of partners', () => {
  it('can be created, listed, renamed and given other terms; terms that the request leaves out are the program’s', async () => {
    const own = await ownedBrand(world);
    const made = await own.owner.post(`${own.path}/groups`, {
      name: ' Creators ',
      terms: { ...sent, hold_period_days: null },
    });
    const group = { id: 1, name: 'Creators', terms, partners: 0, created_at: NOW.toISOString() };
    expect(made).toMatchObject({ status: 200, body: { data: group } });
    expect(await groupOf(own, 'Friends')).toMatchObject({ id: 2, name: 'Friends' });
    expect(await everyPage(own.owner, `${own.path}/groups?limit=1`)).toEqual([
      [group],
      [{ ...group, id: 2, name: 'Friends' }],
    ]);
    const renamed = await own.owner.patch(`${own.path}/groups/1`, { name: 'Writers' });
    expect(renamed).toMatchObject({ status: 200, body: { data: { ...group, name: 'Writers' } } });
    const changed = await own.owner.patch(`${own.path}/groups/1`, {
      terms: { commission_type: 'fixed', commission_rate: 7, hold_period_days: 0, lead_commission_cents: 250 },
    });
    const fixed = { commission_type: 'fixed', commission_rate: 7, duration_months: null };
    expect(changed.body.data.terms).toEqual({ ...fixed, hold_period_days: 0, lead_commission_cents: 250, tiers: [] });
    const stored = await world.items(`PROGRAM#${own.program.id}`);
    // Every version is stored; only the replaced one has ended.
    const versions = stored.filter(({ sk }) => String(sk).startsWith('TERMS#'));
    expect(versions.map(({ version, id, endedAt }) => [version, id, endedAt])).toEqual([
      [1, undefined, undefined],
      [2, 1, NOW.toISOString()],
      [3, 2, undefined],
      [4, 1, undefined],
    ]);
    expect(versions.filter(({ version }) => version === 2)).toEqual([
      {
        pk: `PROGRAM#${own.program.id}`,
        sk: 'TERMS#000002',
        version: 2,
        from: 'group',
        name: 'Writers',
        commissionType: 'recurring_percent',
        commissionRate: 30,
        durationMonths: 12,
        holdPeriodDays: 15,
        id: 1,
        effectiveAt: NOW.toISOString(),
        endedAt: NOW.toISOString(),
        by: { name: expect.any(String), accountId: Number(own.actor.split(':')[1]) },
      },
    ]);
    // An empty change, or the same terms again, creates no version.
    await own.owner.patch(`${own.path}/groups/1`, {});
    await own.owner.patch(`${own.path}/groups/2`, { terms: sent });
    expect(await world.deps().table.get(keys.program(own.program.id))).toMatchObject({ lastTermsVersion: 4 });
  });

  it.each<[object, string]>([
    [{}, 'Missing required fields: name, terms'],
    [{ name: 'Creators' }, 'Missing required fields: name, terms'],
    [{ name: '', terms: {} }, 'name must be a string of 1 to 120 characters'],
  ])('with %j are refused with the message “%s”', async (body, message) => {
    const own = await ownedBrand(world);
    expect(await own.owner.post(`${own.path}/groups`, body)).toMatchObject(refusal(400, message));
  });

  it.each<[unknown, string]>([
    [7, 'terms must be an object'],
    [[], 'terms must be an object'],
    [{ commission_type: 'fixed' }, 'Missing required fields: commission_type, commission_rate'],
    [
      { ...sent, commission_type: 'x', commission_rate: 0 },
      'Invalid commission_type: x. Valid: percent, fixed, recurring_percent, recurring_fixed',
    ],
    [{ ...sent, commission_rate: 0 }, 'commission_rate must be a positive number'],
    [{ ...sent, commission_rate: 101 }, 'commission_rate must be at most 100 for percent types'],
    [{ ...sent, duration_months: -1 }, 'duration_months must be an integer from 0 to 120'],
    [{ ...sent, hold_period_days: 91 }, 'hold_period_days must be an integer from 0 to 90'],
    [{ ...sent, lead_commission_cents: 0.5 }, 'lead_commission_cents must be an integer from 0 to 100000000'],
    [
      { ...sent, tiers: [{ from_sales: 0, rate: 1 }] },
      'tiers must be a list of up to 10 steps {from_sales, rate} with rising from_sales',
    ],
    [{ ...sent, commission_type: 'fixed', tiers: [{ from_sales: 1, rate: 1 }] }, 'tiers need a percent type'],
  ])('with the terms %j are refused with the message “%s”, as such terms of a partner are', async (wrong, message) => {
    const own = await ownedBrand(world);
    await groupOf(own);
    const refused = refusal(400, message);
    expect(await own.owner.post(`${own.path}/groups`, { name: 'A', terms: wrong })).toMatchObject(refused);
    expect(await own.owner.patch(`${own.path}/groups/1`, { terms: wrong })).toMatchObject(refused);
    expect(await own.owner.patch(partnerPath(own), { terms: wrong })).toMatchObject(refused);
  });

  it('are refused if the name is taken, the program is unknown or the program has the maximum number of groups', async () => {
    const own = await ownedBrand(world);
    await groupOf(own);
    await groupOf(own, 'Friends');
    const taken = refusal(409, 'A group of this name exists');
    expect(await own.owner.post(`${own.path}/groups`, { name: 'Creators', terms: sent })).toMatchObject(taken);
    expect(await own.owner.patch(`${own.path}/groups/2`, { name: 'Creators' })).toMatchObject(taken);
    expect(await own.owner.patch(`${own.path}/groups/2`, { name: 'Friends' })).toMatchObject({ status: 200 });
    for (const id of ['3', 'x', '0']) {
      const reply = await own.owner.patch(`${own.path}/groups/${id}`, { name: 'A' });
      expect(reply).toMatchObject(refusal(404, 'Group not found'));
    }
    const { table } = world.deps();
    const { groups } = (await table.get<{ groups: object[] }>(keys.agreements(own.program.id)))!;
    const many = Array.from({ length: 100 }, (_, at) => ({ ...groups[0], id: at + 1, name: `G${at}` }));
    await table.update(keys.agreements(own.program.id), { set: { groups: many } });
    const full = refusal(409, 'A program has at most 100 groups');
    expect(await own.owner.post(`${own.path}/groups`, { name: 'Creators', terms: sent })).toMatchObject(full);
  });

  it('get separate versions of their terms if groups, partner and program change in parallel', async () => {
    const own = await ownedBrand(world);
    await groupOf(own);
    const replies = await Promise.all([
      own.owner.patch(own.path, { commission_rate: 10 }),
      own.owner.patch(`${own.path}/groups/1`, { terms: { ...sent, commission_rate: 11 } }),
      own.owner.patch(partnerPath(own), { terms: { ...sent, commission_rate: 12 } }),
      groupOf(own, 'Friends'),
    ]);
    expect(replies.slice(0, 3).map((reply) => reply.status)).toEqual([200, 200, 200]);
    const versions = new Set<number>();
    for (const change of [{}, { terms: null, group_id: 1 }, { group_id: 2 }, { group_id: null }]) {
      if (Object.keys(change).length > 0) await own.owner.patch(partnerPath(own), change);
      versions.add((await own.owner.get(partnerPath(own))).body.data.terms_in_force.version);
    }
    expect([...versions].toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6]);
  });
});

describe('a partner in a group', () => {
  it('earns by personal terms if there are any, else by the group’s, else by the program’s', async () => {
    const own = await ownedBrand(world);
    const { id } = await groupOf(own);
    const ben = await anotherPartner(world, own, 'Ben');
    const name = own.program.name;
    const soldNow = async (transactionId: string) => {
      const { commission_id: commissionId } = await soldTo(own, transactionId, { transaction_id: transactionId });
      const { data } = (await own.owner.get(`${own.path}/sales/${transactionId}`)).body;
      return {
        id: commissionId,
        terms: data.commission.terms,
        sale: data.sale.terms,
        cents: data.commission.amount_cents,
      };
    };
    expect(await soldNow('p1')).toEqual(paid(980, { version: 1, from: 'program', name }));

    const grouped = await own.owner.patch(partnerPath(own), { group_id: id });
    const group = { version: 2, from: 'group', name: 'Creators' };
    expect(grouped.body.data).toMatchObject({
      group_id: id,
      group_name: 'Creators',
      terms: null,
      terms_in_force: { ...terms, ...group },
    });
    expect(await soldNow('p2')).toEqual(paid(1470, group));
    expect((await own.owner.get(`${own.path}/groups`)).body.data[0].partners).toBe(1);

    const own5 = { commission_type: 'fixed', commission_rate: 5, hold_period_days: 1 };
    const personal = await own.owner.patch(partnerPath(own), { terms: own5 });
    const ofAna = { version: 3, from: 'partner', name: 'Ana' };
    const whole = { ...own5, duration_months: null, lead_commission_cents: 0, tiers: [] };
    expect(personal.body.data).toMatchObject({ group_id: id, terms: whole, terms_in_force: { ...whole, ...ofAna } });
    expect(await soldNow('p3')).toEqual(paid(500, ofAna));
    const list = (await own.owner.get(`${own.path}/partners`)).body.data;
    expect(list.map((row: { terms_in_force: { version: number } }) => row.terms_in_force.version)).toEqual([3, 1]);
    const sorted = (await own.owner.get(`${own.path}/partners?sort=sales`)).body.data;
    expect(sorted.map((row: { group_name: string }) => row.group_name).toSorted()).toEqual(['Creators', null]);

    // Absent fields stay unchanged; null removes a value.
    await own.owner.patch(partnerPath(own), { group_id: null, name: 'Anna' });
    expect(await inForce(own)).toMatchObject({ name: 'Anna', group_id: null, terms: whole });
    // An earlier sale shows the partner's current name.
    const shown = (await own.owner.get(`${own.path}/sales/p3`)).body.data.sale.terms;
    expect(shown).toEqual({ ...ofAna, name: 'Anna' });
    await own.owner.patch(partnerPath(own), { terms: null });
    expect(await inForce(own)).toMatchObject({ terms: null, terms_in_force: { version: 1, from: 'program' } });
    const stored = await world.items(`PROGRAM#${own.program.id}`);
    expect(stored.find(({ sk }) => sk === 'TERMS#000003')).toMatchObject({ from: 'partner', commissionRate: 5 });
    expect(ben.partner.id).toBeGreaterThan(0);
  });

  it('can move to another group and is never in two', async () => {
    const own = await ownedBrand(world);
    await groupOf(own);
    await groupOf(own, 'Friends');
    const counts = async () =>
      (await own.owner.get(`${own.path}/groups`)).body.data.map(({ partners }: { partners: number }) => partners);
    await own.owner.patch(partnerPath(own), { group_id: 1 });
    await own.owner.patch(partnerPath(own), { group_id: 1 });
    expect(await counts()).toEqual([1, 0]);
    await own.owner.patch(partnerPath(own), { group_id: 2 });
    expect(await counts()).toEqual([0, 1]);
    await own.owner.patch(partnerPath(own), { group_id: null });
    expect(await counts()).toEqual([0, 0]);
  });

  it('keeps the version of the personal terms if the same terms are sent again', async () => {
    const own = await ownedBrand(world);
    const first = await own.owner.patch(partnerPath(own), { terms: sent });
    const again = await own.owner.patch(partnerPath(own), { terms: sent });
    expect(again.body.data).toEqual(first.body.data);
    expect(again.body.data.terms_in_force).toEqual({ ...terms, version: 2, from: 'partner', name: 'Ana' });
  });

  it('keeps personal terms when removed and restored, but does not get them in another program', async () => {
    const own = await ownedBrand(world);
    const reply = await own.owner.patch(partnerPath(own), { status: 'removed', terms: sent });
    expect(reply.body.data).toMatchObject({ status: 'removed', terms });
    const back = await own.owner.patch(partnerPath(own), { status: 'active' });
    expect(back.body.data).toMatchObject({ status: 'active', terms });
    const wanted = { name: 'Other', domain: 'o.test', commission_type: 'percent', commission_rate: 9 };
    const other = (await own.owner.post('/programs', wanted)).body.data;
    const ana = { name: 'Ana', email: own.partner.email };
    const added = await own.owner.post(`/programs/${other.id}/partners`, ana);
    expect(added.body.data).toMatchObject({ id: own.partner.id, terms: null, terms_in_force: { commission_rate: 9 } });
  });

  it('is not changed by a request with an unknown group, or with personal terms if 200 other partners have some', async () => {
    const own = await ownedBrand(world);
    for (const groupId of [1, 'x', 0, -1, 1.5, {}]) {
      const reply = await own.owner.patch(partnerPath(own), { name: 'Eva', group_id: groupId });
      expect(reply).toMatchObject(refusal(404, 'Group not found'));
    }
    await own.owner.patch(partnerPath(own), { terms: sent });
    const { table } = world.deps();
    const { personal } = (await table.get<{ personal: Record<string, object> }>(keys.agreements(own.program.id)))!;
    const [one] = Object.values(personal);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [1_000_000 + at, one]));
    await table.update(keys.agreements(own.program.id), { set: { personal: many } });
    const full = 'A program has at most 200 partners with personal terms. Put partners into groups instead.';
    const reply = await own.owner.patch(partnerPath(own), { name: 'Eva', terms: sent });
    expect(reply).toMatchObject(refusal(409, full));
    expect(await inForce(own)).toMatchObject({ name: 'Ana', terms: null });
  });

  it('earns by the group’s terms for renewals too', async () => {
    const own = await ownedBrand(world);
    await soldTo(own, 'renewing', { transaction_id: 'r1' });
    await groupOf(own, 'Creators', { commission_rate: 40 });
    await own.owner.patch(partnerPath(own), { group_id: 1 });
    await sold(own, { transaction_id: 'r2', customer_key: 'renewing', is_recurring: true });
    const { commission } = (await own.owner.get(`${own.path}/sales/r2`)).body.data;
    expect(commission).toMatchObject({ amount_cents: 1960, terms: { version: 2, from: 'group' } });
  });
});

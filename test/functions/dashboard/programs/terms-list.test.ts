import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { memberOf, ownerOf } from '#test/support/programs/people.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const atMinute = (minutes: number): string => later(minutes).toISOString();

const percent = (rate: number) => ({
  commission_type: 'percent',
  commission_rate: rate,
  duration_months: null,
  hold_period_days: 15,
  lead_commission_cents: 0,
  tiers: [],
});
const partnerPath = (own: OwnedBrand) => `${own.path}/partners/${own.partner.id}`;
const itemsOf = (own: OwnedBrand) => world.items(`PROGRAM#${own.program.id}`);

const past = (from: number, to: number) => ({
  status: 'past',
  effective_at: atMinute(from),
  ended_at: atMinute(to),
});
const present = (from: number) => ({ status: 'in_force', effective_at: atMinute(from), ended_at: null });

describe('GET /programs/{id}/terms', () => {
  it('lists every version of the terms of program, groups and partners, newest first, with times and authors', async () => {
    const author = await ownerOf(world);
    const user = dashboard(author.token);
    const made = await user.post('/programs', { name: 'Acme', domain: 'acme.test', ...percent(20) });
    const url = `/programs/${made.body.data.id}`;
    const partner = (await user.post(`${url}/partners`, { name: 'Ana', email: 'ana@versions.test' })).body.data;
    await user.post(`${url}/groups`, { name: 'Creators', terms: percent(25) }, { at: later(1) });
    await user.patch(url, { commission_rate: 22 }, { at: later(2) });
    await user.patch(`${url}/groups/1`, { name: 'Makers', terms: percent(26) }, { at: later(3) });
    await user.patch(`${url}/partners/${partner.id}`, { terms: percent(40) }, { at: later(4) });
    await user.patch(`${url}/partners/${partner.id}`, { terms: null }, { at: later(5) });
    const created_by = { name: author.account.name, email: author.account.email };
    const row = (version: number, from: string, more: object) => ({ version, from, created_by, ...more });
    const all = [
      row(5, 'partner', { id: partner.id, name: 'Ana', terms: percent(40), ...past(4, 5) }),
      row(4, 'group', { id: 1, name: 'Makers', terms: percent(26), ...present(3) }),
      row(3, 'program', { id: null, name: 'Acme', terms: percent(22), ...present(2) }),
      row(2, 'group', { id: 1, name: 'Creators', terms: percent(25), ...past(1, 3) }),
      row(1, 'program', { id: null, name: 'Acme', terms: percent(20), ...past(0, 2) }),
    ];
    const reply = await user.get(`${url}/terms`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ data: all, meta: { next_cursor: null } });
    expect(await everyPage(user, `${url}/terms?limit=2`)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
  });

  it('shows versions that a former version of the service stored, without their times and authors', async () => {
    const own = await ownedBrand(world);
    await own.owner.post(`${own.path}/groups`, { name: 'Creators', terms: percent(25) });
    await own.owner.patch(own.path, { commission_rate: 22 });
    await own.owner.patch(partnerPath(own), { terms: percent(40) });
    await own.owner.patch(partnerPath(own), { terms: null });
    // Former versions stored terms when they ended, without id and times.
    const table = world.deps().table;
    for (const { sk, version } of await itemsOf(own)) {
      if (!String(sk).startsWith('TERMS#')) continue;
      const key = keys.termsVersion(own.program.id, version as number);
      const isPast = [1, 4].includes(version as number);
      const gone = { id: undefined, effectiveAt: undefined, endedAt: undefined, by: undefined };
      if (isPast) await table.update(key, { set: gone });
      else await table.transact([{ name: 'terms', key, remove: true }]);
    }
    const unknown = { effective_at: null, ended_at: null, created_by: null };
    expect((await own.owner.get(`${own.path}/terms`)).body.data).toEqual([
      { version: 4, from: 'partner', id: null, name: null, terms: percent(40), status: 'past', ...unknown },
      {
        version: 3,
        from: 'program',
        id: null,
        name: own.program.name,
        terms: percent(22),
        status: 'in_force',
        ...unknown,
      },
      { version: 2, from: 'group', id: 1, name: 'Creators', terms: percent(25), status: 'in_force', ...unknown },
      {
        version: 1,
        from: 'program',
        id: null,
        name: own.program.name,
        terms: percent(20),
        status: 'past',
        ...unknown,
        effective_at: own.program.createdAt,
      },
    ]);
    // What ends from now on is stored with its end.
    await own.owner.patch(`${own.path}/groups/1`, { terms: percent(27) }, { at: later(1) });
    const [newest, , , former] = (await own.owner.get(`${own.path}/terms`)).body.data;
    expect(newest).toMatchObject({ version: 5, id: 1, status: 'in_force', effective_at: atMinute(1) });
    expect(former).toMatchObject({ version: 2, id: 1, status: 'past', effective_at: null, ended_at: atMinute(1) });
  });

  it('shows each version once, and exactly one as in force, after parallel changes', async () => {
    const own = await ownedBrand(world);
    const rates = [21, 22, 23, 24];
    const replies = await Promise.all(rates.map((rate) => own.owner.patch(own.path, { commission_rate: rate })));
    expect(statusesOf(replies)).toEqual([200, 200, 200, 200]);
    const rows = (await own.owner.get(`${own.path}/terms`)).body.data as { version: number; status: string }[];
    expect(rows.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    expect(rows.map(({ status }) => status)).toEqual(['in_force', 'past', 'past', 'past', 'past']);
    const now = (await own.owner.get(own.path)).body.data.commission_rate;
    expect(rows[0]).toMatchObject({ terms: { commission_rate: now } });
  });

  it('does not show the e-mail address of an author whose account is closed', async () => {
    const own = await ownedBrand(world);
    await own.owner.patch(own.path, { commission_rate: 22 });
    const accountId = Number(own.actor.split(':')[1]);
    await world.deps().table.update(keys.account(accountId), { set: { closingAt: NOW.toISOString() } });
    const [newest] = (await own.owner.get(`${own.path}/terms`)).body.data;
    expect(newest.created_by).toEqual({ name: expect.any(String), email: null });
  });
});

describe('POST /programs/{id}/terms/preview', () => {
  it('shows which terms would change and for which partners, and writes nothing', async () => {
    const own = await ownedBrand(world);
    const added = [];
    for (const name of ['In group', 'Personal', 'Removed', 'Other']) {
      const email = `${name.replace(' ', '-').toLowerCase()}-${own.program.id}@preview.test`;
      added.push((await own.owner.post(`${own.path}/partners`, { name, email })).body.data.id);
    }
    const invited = { name: 'Invited', email: `invited-${own.program.id}@preview.test`, invite: true };
    const { id: invitedId } = (await own.owner.post(`${own.path}/partners`, invited)).body.data;
    await own.owner.post(`${own.path}/groups`, { name: 'Creators', terms: percent(25) });
    for (const id of [added[0], added[2], invitedId])
      await own.owner.patch(`${own.path}/partners/${id}`, { group_id: 1 });
    await own.owner.patch(`${own.path}/partners/${added[1]}`, { terms: percent(40) });
    await own.owner.patch(`${own.path}/partners/${added[2]}`, { status: 'removed' });
    const before = await itemsOf(own);
    const reply = await own.owner.post(`${own.path}/terms/preview`, {
      commission_rate: 25,
      hold_period_days: 15,
      duration_months: null,
      tiers: [{ from_sales: 10, rate: 30 }],
      name: 'Ignored',
    });
    expect(reply).toMatchObject({ status: 200 });
    // Active are Ana and Other by the program's terms, one in the group, and one with personal terms.
    expect(reply.body).toEqual({
      data: {
        changes: { commission_rate: { from: 20, to: 25 }, tiers: { from: [], to: [{ from_sales: 10, rate: 30 }] } },
        partners: 2,
        groups_unaffected: 1,
        partners_unaffected: 2,
      },
    });
    expect(await itemsOf(own)).toEqual(before);
    const { body } = await own.owner.post(`${own.path}/terms/preview`, {});
    expect(body.data).toMatchObject({ changes: {}, partners: 2 });
  });

  it.each<[object, number, string]>([
    [{ commission_rate: 0 }, 400, 'commission_rate must be a positive number'],
    [{ commission_rate: 101 }, 400, 'commission_rate must be at most 100 for percent types'],
    [{ hold_period_days: 91 }, 400, 'hold_period_days must be an integer from 0 to 90'],
    [{ commission_type: 'fixed', tiers: [{ from_sales: 1, rate: 2 }] }, 400, 'tiers need a percent type'],
  ])('refuses %j as PATCH /programs/{id} does, with %i “%s”', async (fields, status, message) => {
    const own = await ownedBrand(world);
    expect(await own.owner.post(`${own.path}/terms/preview`, fields)).toMatchObject(refusal(status, message));
    expect(await own.owner.patch(own.path, fields)).toMatchObject(refusal(status, message));
  });

  it('refuses terms that other settings of the program do not allow, as PATCH /programs/{id} does', async () => {
    const own = await ownedBrand(world);
    await own.owner.patch(own.path, { tiers: [{ from_sales: 1, rate: 30 }] });
    const fixed = { commission_type: 'fixed' };
    const tiered = refusal(400, 'tiers need a percent type');
    expect(await own.owner.post(`${own.path}/terms/preview`, fixed)).toMatchObject(tiered);
    expect(await own.owner.patch(own.path, fixed)).toMatchObject(tiered);
    await own.owner.patch(own.path, { lead_auth: 'browser_allowed' });
    const lead = { lead_commission_cents: 100 };
    const forged = refusal(400, 'lead commissions require lead_auth server_required');
    expect(await own.owner.post(`${own.path}/terms/preview`, lead)).toMatchObject(forged);
    expect(await own.owner.patch(own.path, lead)).toMatchObject(forged);
  });

  it('answers 403 to members, as PATCH /programs/{id} does, and 404 for another workspace’s program', async () => {
    const own = await ownedBrand(world);
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    const owners = refusal(403, 'Only a workspace owner can do this');
    expect(await member.post(`${own.path}/terms/preview`, { commission_rate: 25 })).toMatchObject(owners);
    expect((await member.get(`${own.path}/terms`)).status).toBe(200);
    const stranger = dashboard((await ownerOf(world)).token);
    const unknown = refusal(404, 'Program not found');
    expect(await stranger.post(`${own.path}/terms/preview`, {})).toMatchObject(unknown);
    expect(await stranger.get(`${own.path}/terms`)).toMatchObject(unknown);
  });
});

import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { signInOwn } from '#lib/service/people/accounts/sign-in.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';
import { agent, agentKeyOf } from '#test/support/callers/agent.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { earned, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { type Dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { failing, inConflict, overtakenBy, refused, sentAgain } from '#test/support/table/faults.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { ruleDefaults } from '#test/support/programs/program-row.ts';

// Tests of the record of who changed what in a workspace.

const world = openedWorld();

const AUDIT = '/workspace/audit';
const YEAR_MS = 365 * 86_400_000;
const ago = (ms: number) => ({ at: new Date(NOW.getTime() - ms) });

interface Row {
  readonly action: string;
  readonly target: { readonly id: string };
  readonly changes: object;
}

const rowsOf = async (owner: Dashboard): Promise<Row[]> => (await owner.get(AUDIT)).body.data;
const actionsOf = async (owner: Dashboard) => (await rowsOf(owner)).map(({ action }) => action);
const rename = (own: OwnedBrand, name: string) => own.owner.patch(own.path, { name });
const accountId = ({ actor }: OwnedBrand) => Number(actor.slice('account:'.length));

describe('GET /workspace/audit', () => {
  it('lists changes with author, former and new values, newest first', async () => {
    const own = await ownedBrand(world);
    const later = new Date(NOW.getTime() + 1_000);
    await rename(own, 'Better');
    await own.owner.patch(own.path, { duration_months: null, tiers: [{ from_sales: 5, rate: 25 }] }, { at: later });
    const email = `owner@${own.program.domain}`;
    const row = {
      id: expect.stringMatching(/^aud_[0-9a-z]{16}$/),
      at: NOW.toISOString(),
      actor: { kind: 'account', id: accountId(own), name: 'owner', email },
      action: 'program.changed',
      target: { type: 'program', id: String(own.program.id), name: own.program.name, program_id: own.program.id },
      changes: { name: { from: own.program.name, to: 'Better' } },
    };
    expect(await own.owner.get(AUDIT)).toMatchObject({
      status: 200,
      body: {
        data: [
          {
            ...row,
            at: later.toISOString(),
            target: { ...row.target, name: 'Better' },
            changes: { tiers: { from: null, to: [{ from_sales: 5, rate: 25 }] } },
          },
          row,
        ],
        meta: { next_cursor: null },
      },
    });
    // The entry expires after two years.
    const stored = await world.items(`AUDIT#${own.program.workspaceId}`);
    const end = new Date('2028-11-20T15:00:00.000Z').getTime() / 1_000;
    expect(stored.map(({ expires_at }) => expires_at)).toEqual([end, end + 1]);
  });

  it('shows all rules for suspicious sales before and after a change, even if only one rule was changed', async () => {
    const own = await ownedBrand(world);
    await own.owner.patch(own.path, { rules: { self_referral: 'flag', velocity: 'off' } });
    expect(await rowsOf(own.owner)).toEqual([]);
    await own.owner.patch(own.path, { rules: { velocity: 'hold' }, banned_referrers: ['*.coupons.test'] });
    expect(await rowsOf(own.owner)).toMatchObject([
      {
        action: 'program.changed',
        changes: {
          rules: { from: ruleDefaults, to: { ...ruleDefaults, velocity: 'hold' } },
          banned_referrers: { from: null, to: ['*.coupons.test'] },
        },
      },
    ]);
  });

  it('shows only fields whose value changed, even if other sent fields were never stored before', async () => {
    const own = await ownedBrand(world);
    const { data } = (await own.owner.get(own.path)).body;
    expect((await own.owner.patch(own.path, data)).status).toBe(200);
    expect(await rowsOf(own.owner)).toEqual([]);
    await own.owner.patch(own.path, { ...data, commission_base: 'excluding_tax', links_per_partner: 7 });
    expect((await rowsOf(own.owner)).map(({ changes }) => changes)).toEqual([
      { commission_base: { from: null, to: 'excluding_tax' }, links_per_partner: { from: null, to: 7 } },
    ]);
  });

  it('is divided into pages and shows only this workspace’s changes', async () => {
    const [own, other] = await Promise.all([ownedBrand(world), ownedBrand(world)]);
    await rename(other, 'Elsewhere');
    for (const name of ['A', 'B', 'C', 'D', 'E']) await rename(own, name);
    const pages = await everyPage(own.owner, `${AUDIT}?limit=2`);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    const ids = pages.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(await actionsOf(other.owner)).toEqual(['program.changed']);
  });

  it('filters by a range of days, first and last day inclusive, over several pages', async () => {
    const own = await ownedBrand(world);
    const times = ['01T00:00:00.000', '02T00:00:00.000', '02T12:00:00.000', '02T23:59:59.999', '03T00:00:00.000'];
    for (const [n, time] of times.entries()) {
      await own.owner.patch(own.path, { name: `Name ${n}` }, { at: new Date(`2026-11-${time}Z`) });
    }
    const namesOf = async (query: string) => {
      const rows = (await everyPage(own.owner, `${AUDIT}?limit=2${query}`)).flat();
      return rows.map(({ changes }) => (changes as AuditEntry['changes']).name?.to);
    };
    expect(await namesOf('&from=2026-11-02&to=2026-11-02')).toEqual(['Name 3', 'Name 2', 'Name 1']);
    expect(await namesOf('&from=2026-11-02')).toEqual(['Name 4', 'Name 3', 'Name 2', 'Name 1']);
    expect(await namesOf('&to=2026-11-01')).toEqual(['Name 0']);
    expect(await namesOf('&to=2026-10-31')).toEqual([]);
  });

  it('does not show entries older than two years, whether DynamoDB has removed them or not', async () => {
    const own = await ownedBrand(world);
    await own.owner.patch(own.path, { name: 'Old' }, ago(2 * YEAR_MS + 2 * 86_400_000));
    await own.owner.patch(own.path, { name: 'Young' }, ago(2 * YEAR_MS - 86_400_000));
    expect(await everyPage(own.owner, `${AUDIT}?limit=1`)).toMatchObject([
      [{ changes: { name: { from: 'Old', to: 'Young' } } }],
    ]);
  });
});

describe('a change leaves one audit entry', () => {
  it('even if the same change is sent twice', async () => {
    const own = await ownedBrand(world);
    const link = `${own.path}/links/${own.shortLink}`;
    const partner = `${own.path}/partners/${own.partner.id}`;
    const terms = { commission_type: 'percent', commission_rate: 30 };
    await own.owner.post(`${own.path}/groups`, { name: 'Creators', terms });
    await own.owner.post(`${own.path}/codes`, { partner_id: own.partner.id, code: 'SAVE' });
    const [id] = await earned(own, 1);
    const changes: readonly (() => Promise<{ readonly status: number }>)[] = [
      () => rename(own, 'Better'),
      () => own.owner.patch(link, { status: 'inactive' }),
      () => own.owner.patch(partner, { status: 'removed' }),
      () => own.owner.patch(partner, { name: 'Eve', email: `${own.shortLink}@partners.test` }),
      () => own.owner.patch(partner, { group_id: 1, terms }),
      () => own.owner.patch(`${own.path}/groups/1`, { name: 'Writers', terms: { ...terms, commission_rate: 31 } }),
      () => own.owner.patch(`${own.path}/codes/SAVE`, { status: 'disabled' }),
      () => own.owner.post(`${own.path}/commissions/${id}/approve`),
      () => own.owner.post('/workspace/members', { email: `lee@${own.program.domain}`, role: 'member' }),
    ];
    for (const change of changes) {
      const before = await rowsOf(own.owner);
      expect(await change()).toMatchObject({ status: 200 });
      expect(await change()).toMatchObject({ status: 200 });
      expect({ change: String(change), rows: (await rowsOf(own.owner)).length - before.length }).toMatchObject({
        rows: 1,
      });
    }
  });

  it.each([
    ['in conflict with another', inConflict],
    ['sent again after a lost reply', sentAgain],
  ])('if its write is %s', async (_, fault) => {
    const own = await ownedBrand(world);
    expect((await failing('write', fault, () => rename(own, 'Better'))).status).toBe(200);
    expect(await actionsOf(own.owner)).toEqual(['program.changed']);
  });

  it('if eight requests make it in parallel', async () => {
    const own = await ownedBrand(world);
    const switchOff = () => own.owner.patch(`${own.path}/links/${own.shortLink}`, { status: 'inactive' });
    expect(statusesOf(await Promise.all(Array.from({ length: 8 }, switchOff)))).toEqual(Array(8).fill(200));
    expect(await actionsOf(own.owner)).toEqual(['link.changed']);
  });

  it('with the value that it replaced, even if that value was written by another change just before', async () => {
    const own = await ownedBrand(world);
    const first = overtakenBy(() => rename(own, 'First'));
    expect((await failing('write', first, () => rename(own, 'Second'))).status).toBe(200);
    expect((await rowsOf(own.owner)).map(({ changes }) => changes)).toEqual(
      expect.arrayContaining([
        { name: { from: own.program.name, to: 'First' } },
        { name: { from: 'First', to: 'Second' } },
      ]),
    );
  });

  it('if it removes a partner with more links than fit into one transaction, even if it is interrupted and sent again', async () => {
    const own = await ownedBrand(world);
    const links = Array.from({ length: 150 }, (_, n) => `${own.shortLink}-${n}`);
    for (const link of links) await world.replace({ ...keys.link(link), shortLink: link, programId: own.program.id });
    const { table } = world.deps();
    await table.update(keys.partner(own.program.id, own.partner.id), { set: { links } });
    const remove = () => own.owner.patch(`${own.path}/partners/${own.partner.id}`, { status: 'removed' });
    expect((await failing('second write', refused('InternalServerError'), remove)).status).toBe(500);
    expect((await remove()).status).toBe(200);
    expect(await rowsOf(own.owner)).toMatchObject([
      { action: 'partner.changed', changes: { status: { from: 'active', to: 'removed' } } },
    ]);
  });

  it('for each commission that one request rejects, and none for an unknown id in that request', async () => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 3);
    const reason = 'Fraud';
    await own.owner.post(`${own.path}/commissions/reject`, { ids: [...ids, 999_999_999], reason });
    const rows = await rowsOf(own.owner);
    expect(rows.map(({ action }) => action)).toEqual(Array(3).fill('commission.rejected'));
    const byId = rows.toSorted((a, b) => Number(a.target.id) - Number(b.target.id));
    expect(byId).toMatchObject(
      ids.map((id) => ({
        target: { type: 'commission', id: String(id), name: null, program_id: own.program.id },
        changes: { status: { from: 'pending', to: 'rejected' }, rejection_reason: { from: null, to: reason } },
      })),
    );
  });

  it('with the name of the agent key that made it', async () => {
    const own = await ownedBrand(world);
    const key = await agentKeyOf(world, own);
    expect((await agent(key).update(own.program.id, { name: 'By a tool' })).status).toBe(200);
    const actor = { kind: 'agent_key', id: expect.any(Number), name: 'Tool', email: null };
    expect(await rowsOf(own.owner)).toMatchObject([{ actor, action: 'program.changed' }]);
  });

  it('with the partner who made it, but not with a new address of the account, which the brand does not know', async () => {
    const own = await ownedBrand(world);
    const { email } = own.partner;
    const person = await signedInAs(world, email);
    await accepted(person, own.path);
    const later = new Date(NOW.getTime() + 1_000);
    expect((await portal(person.token).post(`${own.path}/leave`, undefined, { at: later })).status).toBe(200);
    expect((await rowsOf(own.owner))[0]).toMatchObject({ actor: { kind: 'partner', email } });
    const moved = await signInOwn(world.deps(), { issuer: 'test', subject: email, email: newAddress('moved') });
    expect(moved.id).toBe(person.account.id);
    const actor = { kind: 'partner', id: moved.id, name: moved.name, email: null };
    const [row] = await rowsOf(own.owner);
    expect(row).toMatchObject({ actor, action: 'partner.changed', changes: { status: { to: 'removed' } } });
    const { body: file } = await own.owner.get('/workspace/audit.csv');
    expect(file).toContain(moved.name);
    expect(file).not.toContain(moved.email);
  });
});

it('clicks, leads, sales and refunds leave no audit entry', async () => {
  const own = await ownedBrand(world);
  await earned(own, 1);
  expect(await rowsOf(own.owner)).toEqual([]);
});

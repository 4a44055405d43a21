import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { memberOf, newAddress, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A partner's name and e-mail, which are the same in all programs of the workspace.

const world = openedWorld();

interface Scene {
  readonly own: OwnedBrand;
  readonly user: Dashboard;
  readonly partnerId: number;
  /** The partner's rows in both programs. */
  readonly url: string;
  readonly second: { readonly path: string; readonly url: string };
}

const anotherProgram = async (user: Dashboard): Promise<string> => {
  const settings = { name: 'Second', domain: 'second.test', commission_type: 'percent', commission_rate: 1 };
  return `/programs/${(await user.post('/programs', settings)).body.data.id}`;
};

/** Creates Ana in two programs of a workspace. */
async function scene(): Promise<Scene> {
  const own = await ownedBrand(world);
  const user = own.owner;
  const path = await anotherProgram(user);
  const partnerId = own.partner.id;
  const { body } = await user.post(`${path}/partners`, { name: 'ignored', email: own.partner.email });
  expect(body.data).toMatchObject({ id: partnerId, name: 'Ana' });
  const below = `/partners/${partnerId}`;
  return { own, user, partnerId, url: own.path + below, second: { path, url: path + below } };
}

const emailItems = ({ own }: Scene, email: string) => world.items(keys.partnerEmail(own.program.workspaceId, email).pk);

const idOf = (path: string) => Number(path.split('/')[2]);

/** The item that maps an e-mail to the partner. */
function emailItem({ own, partnerId, second }: Scene, name: string, email: string) {
  const key = keys.partnerEmail(own.program.workspaceId, email);
  return { ...key, id: partnerId, name, email, programIds: new Set([own.program.id, idOf(second.path)]) };
}

describe('PATCH of a partner answers 200', () => {
  it('and changes only the name, in every program of the workspace', async () => {
    const made = await scene();
    const { own, user, url, second, partnerId } = made;
    const { data: before } = (await user.get(url)).body;
    const { data: beforeThere } = (await user.get(second.url)).body;
    const item = (await world.items(`PROGRAM#${own.program.id}`)).find(({ sk }) => sk === `PARTNER#${partnerId}`);
    expect(await user.patch(url, { name: ' Anna-Lena ' })).toEqual(dataReply({ ...before, name: 'Anna-Lena' }, 5));
    expect((await user.get(url)).body.data).toEqual({ ...before, name: 'Anna-Lena' });
    expect((await user.get(second.url)).body.data).toEqual({ ...beforeThere, name: 'Anna-Lena' });
    expect(await emailItems(made, 'ana@partners.test')).toEqual([emailItem(made, 'Anna-Lena', 'ana@partners.test')]);
    expect(await world.items(`PROGRAM#${own.program.id}`)).toContainEqual({ ...item, name: 'Anna-Lena' });
  });

  it('and changes the e-mail address, trimmed and in lower case; another partner can then use the former address', async () => {
    const made = await scene();
    const { own, user, url, second, partnerId } = made;
    const { data: before } = (await user.get(url)).body;
    const reply = await user.patch(url, { email: ' ANA@New.Test ' });
    expect(reply.body).toEqual({ data: { ...before, email: 'ana@new.test' } });
    expect((await user.get(second.url)).body.data).toMatchObject({ id: partnerId, email: 'ana@new.test' });
    expect(await emailItems(made, 'ana@partners.test')).toEqual([]);
    expect(await emailItems(made, 'ana@new.test')).toEqual([emailItem(made, 'Ana', 'ana@new.test')]);

    const found = async (q: string) => (await user.get(`${own.path}/search?q=${encodeURIComponent(q)}`)).body.data;
    expect(await found('ana@new.test')).toEqual([
      { kind: 'partner', id: String(partnerId), label: 'Ana', detail: 'ana@new.test' },
    ]);
    expect(await found('ana@partners.test')).toEqual([]);

    const { data: other } = (await user.post(`${own.path}/partners`, { name: 'Bo', email: 'ana@partners.test' })).body;
    expect(other).toMatchObject({ name: 'Bo', email: 'ana@partners.test' });
    expect(other.links).not.toContain(own.shortLink);
    expect(other.id).not.toBe(partnerId);
    expect((await user.post(`${own.path}/partners`, { name: 'Ana', email: 'ana@new.test' })).body).toEqual(
      platformError(409, 'This partner is already in the program'),
    );
  });

  it('and can change the address back to the former one', async () => {
    const made = await scene();
    const { user, url } = made;
    await user.patch(url, { email: 'ana@new.test' });
    expect((await user.patch(url, { email: 'ana@partners.test' })).body.data.email).toBe('ana@partners.test');
    expect(await emailItems(made, 'ana@new.test')).toEqual([]);
    expect(await emailItems(made, 'ana@partners.test')).toEqual([emailItem(made, 'Ana', 'ana@partners.test')]);
  });

  it('and changes name, e-mail address and status in one request; the status changes only in this program', async () => {
    const { own, user, url, second } = await scene();
    const { data: before } = (await user.get(url)).body;
    const change = { status: 'removed', name: 'Eve', email: 'eve@partners.test' };
    expect((await user.patch(url, change)).body).toEqual({ data: { ...before, ...change } });
    expect((await user.get(url)).body.data).toEqual({ ...before, ...change });
    expect((await user.get(second.url)).body.data).toMatchObject({ ...change, status: 'active' });
    expect(await world.items(`LINK#${own.shortLink}`)).toMatchObject([{ partnerRemoved: true }]);
  });

  it('and changes all kinds of fields in one transaction, with an audit entry for each kind', async () => {
    const { own, user, url, second } = await scene();
    const { data: group } = (
      await user.post(`${own.path}/groups`, {
        name: 'Gold',
        terms: { commission_type: 'percent', commission_rate: 30 },
      })
    ).body;
    const terms = { commission_type: 'percent', commission_rate: 12 };
    const change = { name: 'Eve', email: 'eve@partners.test', status: 'removed' };
    const calls = await sentCalls(async () => {
      expect((await user.patch(url, { ...change, group_id: group.id, terms })).status).toBe(200);
    });
    expect(calls.filter(({ name }) => name === 'TransactWriteCommand')).toHaveLength(1);
    expect((await user.get(url)).body.data).toMatchObject({ ...change, group_id: group.id, terms });
    expect((await user.get(second.url)).body.data).toMatchObject({ ...change, status: 'active', group_id: null });
    const { data: rows } = (await user.get('/workspace/audit')).body;
    const changed = rows.filter(({ action }: { action: string }) => action === 'partner.changed');
    expect(changed).toHaveLength(3);
    expect(await world.items(`LINK#${own.shortLink}`)).toMatchObject([{ partnerRemoved: true }]);
  });

  it('and changes a removed partner in a paused program, even if a member who is not an owner sends it', async () => {
    const { own, user, url } = await scene();
    await user.patch(url, { status: 'removed' });
    await user.patch(own.path, { status: 'paused' });
    const { workspace } = await ownerOfBrand(world, own);
    const member = dashboard((await memberOf(world, workspace)).token);
    expect((await member.patch(url, { name: 'Eve', status: null })).body.data).toMatchObject({
      name: 'Eve',
      status: 'removed',
    });
  });

  it('and writes nothing if every field already has the sent value', async () => {
    const { user, url } = await scene();
    const { data: before } = (await user.get(url)).body;
    const calls = await sentCalls(async () => {
      const same = { name: ' Ana', email: 'ANA@partners.test', status: undefined };
      expect((await user.patch(url, same)).body).toEqual({ data: before });
    });
    expect(calls.map(({ name }) => name)).not.toContain('TransactWriteCommand');
  });

  it.each(['محمد علي', 'Ana 👩‍💻', '名'.repeat(120), 'ﬀ'])(
    'and stores the name %s, by which the search then finds the partner',
    async (name) => {
      const { own, user, url, second } = await scene();
      expect((await user.patch(url, { name })).body.data.name).toBe(name);
      expect((await user.get(second.url)).body.data.name).toBe(name);
      const { data } = (await user.get(`${own.path}/search?q=${encodeURIComponent(name)}`)).body;
      expect(data[0]).toMatchObject({ kind: 'partner', label: name });
    },
  );

  it('and links, commissions, exports, events and former payouts then show the new name', async () => {
    const { own, user, url } = await scene();
    await earned(own, 1);
    const at = { at: HOLD_OVER };
    await user.post(`${own.path}/payouts`, {}, at);
    await user.patch(url, { name: 'Eve', email: 'eve@partners.test' });
    const listed = async (list: string) => (await user.get(own.path + list, at)).body;
    for (const list of ['/links', '/commissions', '/events?type=sale', '/customers']) {
      expect((await listed(list)).data).toMatchObject([{ partner_name: 'Eve' }]);
    }
    expect((await listed('/payouts')).data[0].items).toMatchObject([
      { partner_name: 'Eve', partner_email: 'eve@partners.test' },
    ]);
    expect(await listed('/commissions.csv')).toContain(',Eve,eve@partners.test,');
  });

  it('and costs at most 42 write units for a partner in two programs', async () => {
    const { user, url } = await scene();
    const calls = await sentCalls(() => user.patch(url, { email: newAddress() }));
    // Two e-mails, two relations, their former and new address in two lists, their holds, their words, the mail and its
    // count at two units each, one more for the index item's attributes, and the rate-limit window. The mail limits are read, too.
    expect(unitsOf(calls).write).toBeLessThanOrEqual(42);
    expect(unitsOf(calls).read).toBeLessThanOrEqual(17);
    expect(calls.filter(({ name }) => name === 'TransactWriteCommand')).toHaveLength(1);
  });
});

describe('PATCH of a partner’s e-mail address answers 409 “This e-mail address belongs to another partner”', () => {
  const taken = platformError(409, 'This e-mail address belongs to another partner');

  it('for a partner of any program of the workspace, even a removed one; nothing changes, not even the status', async () => {
    const { own, user, url, second } = await scene();
    const [here, there] = [newAddress(), newAddress()];
    await user.post(`${own.path}/partners`, { name: 'Ben', email: here });
    const { id } = (await user.post(`${second.path}/partners`, { name: 'Cid', email: there })).body.data;
    await user.patch(`${second.path}/partners/${id}`, { status: 'removed' });
    const items = async () => [
      await world.items(`PROGRAM#${own.program.id}`),
      await world.items(`PROGRAM#${idOf(second.path)}`),
    ];
    const before = await items();
    for (const [index, email] of [here, there.toUpperCase()].entries()) {
      expect(await user.patch(url, { name: 'Eve', email, status: 'removed' })).toEqual({
        status: 409,
        headers: countedHeaders(300, 6 + index),
        body: taken,
      });
    }
    expect(await items()).toEqual(before);
  });

  it('only within a workspace: partners of two workspaces can have the same address', async () => {
    const { user, url } = await scene();
    const other = await ownedBrand(world);
    const email = newAddress();
    await other.owner.post(`${other.path}/partners`, { name: 'Ben', email });
    expect((await user.patch(url, { email })).status).toBe(200);
    expect((await other.owner.get(`${other.path}/partners`)).body.data[1]).toMatchObject({ name: 'Ben', email });
  });
});

it('PATCH of a partner answers 409 if the partner is in more programs than one transaction can change, else 200', async () => {
  const made = await scene();
  const { own, user, url, partnerId } = made;
  const more = Array.from({ length: 93 }, (_, n) => 1_000_000 + n);
  const joinedAt = NOW.toISOString();
  for (const programId of [own.program.id, idOf(made.second.path)]) {
    await world.deps().table.update(keys.partner(programId, partnerId), { set: { joinedAt } });
  }
  const {
    pk: _,
    sk: __,
    ...relation
  } = (await world.items(`PROGRAM#${own.program.id}`)).find(({ sk }) => sk === `PARTNER#${partnerId}`)!;
  for (const programId of more) await world.replace({ ...relation, programId, ...keys.partner(programId, partnerId) });
  const known = emailItem(made, 'Ana', 'ana@partners.test');
  await world.replace({ ...known, programIds: known.programIds.union(new Set(more)) });
  const refused = 'Name and e-mail address of a partner of more than 94 programs cannot be changed';
  expect((await user.patch(url, { email: newAddress() })).body).toEqual(platformError(409, refused));
  expect((await user.patch(url, { status: 'removed' })).status).toBe(200);

  await world.replace({ ...known, programIds: known.programIds.union(new Set(more.slice(1))) });
  expect((await user.patch(url, { name: 'Eve', email: 'eve@partners.test' })).status).toBe(200);
  const [{ name, email }] = (await world.items(`PROGRAM#${more.at(-1)}`)) as [Record<string, unknown>];
  expect({ name, email }).toEqual({ name: 'Eve', email: 'eve@partners.test' });
});

describe('PATCH of a partner answers 404 “Partner not found”', () => {
  it('for a partner of another program or workspace, and does not change that partner', async () => {
    const { own, user, second } = await scene();
    const { data: ben } = (await user.post(`${second.path}/partners`, { name: 'Ben', email: newAddress() })).body;
    const other = await ownedBrand(world);
    const before = await world.items(`PROGRAM#${other.program.id}`);
    for (const id of [ben.id, other.partner.id]) {
      expect(await user.patch(`${own.path}/partners/${id}`, { name: 'Eve' })).toMatchObject(
        refusal(404, 'Partner not found'),
      );
    }
    expect((await user.get(`${second.path}/partners/${ben.id}`)).body.data).toEqual(ben);
    expect(await world.items(`PROGRAM#${other.program.id}`)).toEqual(before);
    expect(ben.created_at).toBe(NOW.toISOString());
  });
});

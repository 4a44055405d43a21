import { describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { memberOf, newAddress, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { NOW, statusesOf, type TestReply } from '#test/support/callers/request.ts';
import { dataReply, pageReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';

const LATER = new Date('2026-11-20T16:00:00.000Z');

const world = openedWorld();

/** A member in lists before the first sign-in with the address. */
const pending = (email: string, role = 'member') => ({
  account_id: null,
  email,
  name: null,
  role,
  status: 'pending',
  joined_at: null,
});

const members = '/workspace/members';
const byEmail = (email: string) => `${members}/${encodeURIComponent(email)}`;

describe('the members of a workspace', () => {
  it('are listed oldest first: active ones with their account, invited ones with their e-mail address', async () => {
    const owner = await ownerOf(world);
    const member = await memberOf(world, owner.workspace);
    const invited = newAddress('invited');
    await dashboard(owner.token).post(members, { email: invited, role: 'owner' }, { at: LATER });
    const active = ({ account: { id, email, name } }: typeof owner, role: string) => ({
      ...pending(email, role),
      account_id: id,
      name,
      status: 'active',
      joined_at: NOW.toISOString(),
    });
    expect(await dashboard(member.token).get(members)).toEqual(
      pageReply([active(owner, 'owner'), active(member, 'member'), pending(invited, 'owner')]),
    );
  });

  it('are invited by an e-mail address, which is stored without spaces around it and in lower case', async () => {
    const { token, workspace } = await ownerOf(world);
    const email = newAddress('ben');
    const reply = await dashboard(token).post(members, { email: ` ${email.toUpperCase()} `, role: 'member' });
    expect(reply).toEqual(dataReply(pending(email)));
    expect(await world.items(`INVITATION#${email}`)).toEqual([
      {
        pk: `INVITATION#${email}`,
        sk: `${NOW.toISOString()}#${workspace.id}`,
        workspaceId: workspace.id,
        email,
        invitedAt: NOW.toISOString(),
      },
    ]);
  });

  it('stay invited, not active, if their account is in another workspace', async () => {
    const { token } = await ownerOf(world);
    const other = await ownerOf(world);
    const { email } = other.account;
    expect((await dashboard(token).post(members, { email, role: 'member' })).body.data).toEqual(pending(email));
    expect((await dashboard(other.token).get('/workspace')).body.data).toMatchObject({ id: other.workspace.id });
    expect(await world.items(`INVITATION#${email}`)).toHaveLength(1);
  });

  it.each(['member', 'owner'])(
    'get the role %s if an owner sends their e-mail address again with that role',
    async (role) => {
      const owner = await ownerOf(world);
      const member = await memberOf(world, owner.workspace, role === 'owner' ? 'member' : 'owner');
      const { body } = await dashboard(owner.token).post(members, { email: member.account.email, role });
      expect(body.data).toMatchObject({ account_id: member.account.id, role, status: 'active' });
      expect((await dashboard(member.token).get('/workspace')).body.data.role).toBe(role);
      expect((await dashboard(owner.token).get(members)).body.data).toHaveLength(2);
    },
  );

  it('get another role while they are only invited, without a second invitation', async () => {
    const { token } = await ownerOf(world);
    const email = newAddress();
    await dashboard(token).post(members, { email, role: 'member' });
    const { body } = await dashboard(token).post(members, { email, role: 'owner' }, { at: LATER });
    expect(body).toEqual({ data: pending(email, 'owner') });
    expect(await world.items(`INVITATION#${email}`)).toHaveLength(1);
    const person = await signedInAs(world, email);
    expect((await dashboard(person.token).get('/me')).body.data.invitations).toMatchObject([{ role: 'owner' }]);
  });

  it.each([
    ['path', 'a/b+c@acme.test'],
    ['path', 'a@ü.test'],
    ['query', 'a?b+c@acme.test'],
    ['query', '../a//%2f@acme.test'],
  ])('are removed while only invited, by their e-mail address in the %s: %s', async (place, email) => {
    const { token } = await ownerOf(world);
    const user = dashboard(token);
    await user.post(members, { email, role: 'member' });
    const named = place === 'path' ? '/' : '?account_id=';
    const reply = await user.delete(`${members}${named}${encodeURIComponent(email)}`);
    expect(reply).toEqual(dataReply({ removed: true }, 2));
    expect(await world.items(`INVITATION#${email}`)).toEqual([]);
  });

  it('are removed by account id: their next request is refused, and their next sign-in shows no workspace', async () => {
    const { token, workspace } = await ownerOf(world);
    const member = await memberOf(world, workspace);
    expect((await dashboard(member.token).get(members)).status).toBe(200);
    const reply = await dashboard(token).delete(`${members}/${member.account.id}`);
    expect(reply).toEqual(dataReply({ removed: true }));
    const noWorkspace = platformError(403, 'No workspace found for this account');
    expect((await dashboard(member.token).get(members)).body).toEqual(noWorkspace);
    const again = await signedInAs(world, member.account.email);
    expect((await dashboard(again.token).get(members)).body).toEqual(noWorkspace);
    expect((await dashboard(member.token).post('/workspace', { name: 'Own' })).status).toBe(200);
  });

  it.each(['plus+sign', 'percent%41', 'Two.Words', "o'brien"])(
    'lose their invitation if an owner withdraws it by an e-mail address whose local part is %s',
    async (local) => {
      const { token } = await ownerOf(world);
      const email = newAddress(local.toLowerCase());
      await dashboard(token).post(members, { email, role: 'member' });
      expect((await dashboard(token).delete(byEmail(email.toUpperCase()))).body).toEqual({ data: { removed: true } });
      expect(await world.items(`INVITATION#${email}`)).toEqual([]);
      const person = await signedInAs(world, email);
      expect((await dashboard(person.token).get(members)).status).toBe(403);
    },
  );
});

const noRole = (sent: string) => `Invalid role: ${sent}. Valid: owner, member`;

describe('a request about members of a workspace is refused with 400', () => {
  const missing = 'Missing required fields: email, role';
  const noAddress = 'email must be a valid e-mail address';
  it.each([
    [{}, missing],
    [{ email: 'a@b.test' }, missing],
    [{ role: 'owner' }, missing],
    [{ email: null, role: 'admin' }, missing],
    [{ email: '', role: 'owner' }, noAddress],
    [{ email: 'a@b@c.test', role: 'owner' }, noAddress],
    [{ email: `${'x'.repeat(320)}@c.test`, role: 'owner' }, noAddress],
    [{ email: 7, role: 'admin' }, noAddress],
    [{ email: '\u212A@b.test', role: 'owner' }, noAddress],
    [{ email: 'a@b.test', role: 'admin' }, noRole('admin')],
    [{ email: 'a@b.test', role: ['owner'] }, noRole('["owner"]')],
    ['{"email":', 'Invalid JSON body'],
  ])('for the body %j, with the message “%s”', async (body, message) => {
    const { token } = await ownerOf(world);
    expect((await dashboard(token).post(members, body)).body).toEqual(platformError(400, message));
    expect((await dashboard(token).get(members)).body.data).toHaveLength(1);
  });
});

describe('a request to remove a member is refused with 404 “Member not found”', () => {
  it('for an id or e-mail address without a member, and for the e-mail address of an active member', async () => {
    const { token, workspace } = await ownerOf(world);
    const stranger = await ownerOf(world);
    const member = await memberOf(world, workspace);
    const named = [`${members}/999999`, `${members}/0`, `${members}/-1`, `${members}/x`, byEmail('who@b.test')];
    for (const url of [...named, `${members}/${stranger.account.id}`, byEmail(member.account.email)]) {
      expect((await dashboard(token).delete(url)).body).toEqual(platformError(404, 'Member not found'));
    }
    expect((await dashboard(token).get(members)).body.data).toHaveLength(2);
  });

  it('if a member, who cannot remove anyone, sends an unknown id: not with 403', async () => {
    const { workspace } = await ownerOf(world);
    const { token } = await memberOf(world, workspace);
    expect((await dashboard(token).delete(`${members}/999999`)).status).toBe(404);
  });
});

// A workspace always has an active owner.

const needsOwner = platformError(409, 'A workspace needs at least one owner');

describe('a request about members is refused with 409 “A workspace needs at least one owner”', () => {
  it('if the only owner would leave or become a member', async () => {
    const { token, account, workspace } = await ownerOf(world);
    await memberOf(world, workspace);
    const before = await world.items(`WORKSPACE#${workspace.id}`);
    expect((await dashboard(token).delete(`${members}/${account.id}`)).body).toEqual(needsOwner);
    expect((await dashboard(token).post(members, { email: account.email, role: 'member' })).body).toEqual(needsOwner);
    expect(await world.items(`WORKSPACE#${workspace.id}`)).toEqual(before);
  });

  it('if a second owner is invited but has not joined', async () => {
    const { token, account } = await ownerOf(world);
    await dashboard(token).post(members, { email: newAddress(), role: 'owner' });
    expect((await dashboard(token).delete(`${members}/${account.id}`)).body).toEqual(needsOwner);
  });

  it('but not if it sets the only owner’s role to owner', async () => {
    const { token, account } = await ownerOf(world);
    expect((await dashboard(token).post(members, { email: account.email, role: 'owner' })).status).toBe(200);
  });
});

describe('parallel requests of two owners of a workspace', () => {
  type Owner = Awaited<ReturnType<typeof ownerOf>>;
  const removes = (by: Owner, whom: Owner) => dashboard(by.token).delete(`${members}/${whom.account.id}`);
  const demotes = (by: Owner, whom: Owner) =>
    dashboard(by.token).post(members, { email: whom.account.email, role: 'member' });

  const races: [string, (a: Owner, b: Owner) => Promise<TestReply>[]][] = [
    ['each removes the other', (a, b) => [removes(a, b), removes(b, a)]],
    ['each demotes the other', (a, b) => [demotes(a, b), demotes(b, a)]],
    ['both leave', (a, b) => [removes(a, a), removes(b, b)]],
    ['both step down', (a, b) => [demotes(a, a), demotes(b, b)]],
    ['one leaves, one steps down', (a, b) => [removes(a, a), demotes(b, b)]],
  ];
  it.each(races)('leave the workspace with one owner (%s)', async (_, race) => {
    const first = await ownerOf(world);
    const second = await memberOf(world, first.workspace, 'owner');
    const replies = await Promise.all(race(first, second));
    expect(statusesOf(replies)).toEqual([200, expect.toSatisfy((s) => s === 403 || s === 409)]);
    const workspace = await findWorkspace(world.deps().table, first.workspace.id);
    expect(workspace?.members.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });
});

it('parallel changes of a workspace’s members are all stored', async () => {
  const { token } = await ownerOf(world);
  const invited = Array.from({ length: 6 }, () => newAddress());
  await Promise.all(invited.map((email) => dashboard(token).post(members, { email, role: 'member' })));
  const { body } = await dashboard(token).get(members);
  const listed = body.data.map(({ email }: { email: string }) => email);
  expect(listed.slice(1).toSorted()).toEqual(invited.toSorted());
});

import { describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { memberOf, newAddress, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { dataReply, pageReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const LATER = new Date('2026-11-20T16:00:00.000Z');

const world = openedWorld();

/** A member as lists show it before anybody has signed in with the address. */
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

describe('200', () => {
  it('lists members, oldest first: active ones with their account, invited ones by their address', async () => {
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

  it('invites an address, trimmed and lower-cased', async () => {
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

  it('invites an account that has another workspace: the invitation waits', async () => {
    const { token } = await ownerOf(world);
    const other = await ownerOf(world);
    const { email } = other.account;
    expect((await dashboard(token).post(members, { email, role: 'member' })).body.data).toEqual(pending(email));
    expect((await dashboard(other.token).get('/workspace')).body.data).toMatchObject({ id: other.workspace.id });
    expect(await world.items(`INVITATION#${email}`)).toHaveLength(1);
  });

  it.each(['member', 'owner'])('sets the role of a member: to %s', async (role) => {
    const owner = await ownerOf(world);
    const member = await memberOf(world, owner.workspace, role === 'owner' ? 'member' : 'owner');
    const { body } = await dashboard(owner.token).post(members, { email: member.account.email, role });
    expect(body.data).toMatchObject({ account_id: member.account.id, role, status: 'active' });
    expect((await dashboard(member.token).get('/workspace')).body.data.role).toBe(role);
    expect((await dashboard(owner.token).get(members)).body.data).toHaveLength(2);
  });

  it('sets the role of an invited address without inviting it twice', async () => {
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
    ['path', 'a/b@acme.test'],
    ['path', 'a+b@acme.test'],
    ['path', 'a@ü.test'],
    ['query', 'a/b@acme.test'],
    ['query', 'a?b@acme.test'],
    ['query', 'a%2fb@acme.test'],
    ['query', '../a//@acme.test'],
    ['query', 'a+b@acme.test'],
  ])('removes a pending member by an address in the %s: %s', async (place, email) => {
    const { token } = await ownerOf(world);
    const user = dashboard(token);
    await user.post(members, { email, role: 'member' });
    const named = place === 'path' ? '/' : '?account_id=';
    const reply = await user.delete(`${members}${named}${encodeURIComponent(email)}`);
    expect(reply).toEqual(dataReply({ removed: true }, 2));
    expect(await world.items(`INVITATION#${email}`)).toEqual([]);
  });

  it('removes a member by account id: access ends with the next request, sign-in gives no workspace', async () => {
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

  it.each(['plus+sign', 'percent%41', 'Two.Words', "o'brien"])('withdraws the invitation of %s', async (local) => {
    const { token } = await ownerOf(world);
    const email = newAddress(local.toLowerCase());
    await dashboard(token).post(members, { email, role: 'member' });
    expect((await dashboard(token).delete(byEmail(email.toUpperCase()))).body).toEqual({ data: { removed: true } });
    expect(await world.items(`INVITATION#${email}`)).toEqual([]);
    const person = await signedInAs(world, email);
    expect((await dashboard(person.token).get(members)).status).toBe(403);
  });
});

const noRole = (sent: string) => `Invalid role: ${sent}. Valid: owner, member`;

describe('400', () => {
  const missing = 'Missing required fields: email, role';
  const noAddress = 'email must be a valid e-mail address';
  it.each([
    [{}, missing],
    [{ email: 'a@b.test' }, missing],
    [{ role: 'owner' }, missing],
    [{ email: null, role: 'admin' }, missing],
    [{ email: '', role: 'owner' }, noAddress],
    [{ email: 'nobody', role: 'owner' }, noAddress],
    [{ email: 'a b@c.test', role: 'owner' }, noAddress],
    [{ email: 'a@b@c.test', role: 'owner' }, noAddress],
    [{ email: `${'x'.repeat(320)}@c.test`, role: 'owner' }, noAddress],
    [{ email: 7, role: 'admin' }, noAddress],
    [{ email: 'ü@b.test', role: 'owner' }, noAddress],
    [{ email: 'Üml.äut@b.test', role: 'owner' }, noAddress],
    [{ email: '\u212A@b.test', role: 'owner' }, noAddress],
    [{ email: 'a@b.test', role: 'admin' }, noRole('admin')],
    [{ email: 'a@b.test', role: 'Owner' }, noRole('Owner')],
    [{ email: 'a@b.test', role: '' }, noRole('')],
    [{ email: 'a@b.test', role: 7 }, noRole('7')],
    [{ email: 'a@b.test', role: ['owner'] }, noRole('["owner"]')],
    ['{"email":', 'Invalid JSON body'],
  ])('%j: %s', async (body, message) => {
    const { token } = await ownerOf(world);
    expect((await dashboard(token).post(members, body)).body).toEqual(platformError(400, message));
    expect((await dashboard(token).get(members)).body.data).toHaveLength(1);
  });
});

describe('404 Member not found', () => {
  it('for an id or address that no member has, and for an active member’s address', async () => {
    const { token, workspace } = await ownerOf(world);
    const stranger = await ownerOf(world);
    const member = await memberOf(world, workspace);
    const named = [`${members}/999999`, `${members}/0`, `${members}/-1`, `${members}/x`, byEmail('who@b.test')];
    for (const url of [...named, `${members}/${stranger.account.id}`, byEmail(member.account.email)]) {
      expect((await dashboard(token).delete(url)).body).toEqual(platformError(404, 'Member not found'));
    }
    expect((await dashboard(token).get(members)).body.data).toHaveLength(2);
  });

  it('also to a member, who may not remove anybody: the path comes before the role', async () => {
    const { workspace } = await ownerOf(world);
    const { token } = await memberOf(world, workspace);
    expect((await dashboard(token).delete(`${members}/999999`)).status).toBe(404);
  });
});

import { describe, expect, it } from 'vitest';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { memberOf, newAddress, ownerOf } from '#test/support/programs/people.ts';
import { statusesOf, type TestReply } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A workspace has an active owner at every moment.

const members = '/workspace/members';
const needsOwner = platformError(409, 'A workspace needs at least one owner');

const world = openedWorld();

describe('409 A workspace needs at least one owner', () => {
  it('when the only owner would leave or become a member', async () => {
    const { token, account, workspace } = await ownerOf(world);
    await memberOf(world, workspace);
    const before = await world.items(`WORKSPACE#${workspace.id}`);
    expect((await dashboard(token).delete(`${members}/${account.id}`)).body).toEqual(needsOwner);
    expect((await dashboard(token).post(members, { email: account.email, role: 'member' })).body).toEqual(needsOwner);
    expect(await world.items(`WORKSPACE#${workspace.id}`)).toEqual(before);
  });

  it('because an invited owner does not count', async () => {
    const { token, account } = await ownerOf(world);
    await dashboard(token).post(members, { email: newAddress(), role: 'owner' });
    expect((await dashboard(token).delete(`${members}/${account.id}`)).body).toEqual(needsOwner);
  });

  it('not when the role of the only owner is set to what it is', async () => {
    const { token, account } = await ownerOf(world);
    expect((await dashboard(token).post(members, { email: account.email, role: 'owner' })).status).toBe(200);
  });
});

describe('of two owners, one stays, whatever they do at the same time', () => {
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
  it.each(races)('%s', async (_, race) => {
    const first = await ownerOf(world);
    const second = await memberOf(world, first.workspace, 'owner');
    const replies = await Promise.all(race(first, second));
    expect(statusesOf(replies)).toEqual([200, expect.toSatisfy((s) => s === 403 || s === 409)]);
    const workspace = await findWorkspace(world.deps().table, first.workspace.id);
    expect(workspace?.members.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });
});

it('changes of members that race are all kept', async () => {
  const { token } = await ownerOf(world);
  const invited = Array.from({ length: 6 }, () => newAddress());
  await Promise.all(invited.map((email) => dashboard(token).post(members, { email, role: 'member' })));
  const { body } = await dashboard(token).get(members);
  const listed = body.data.map(({ email }: { email: string }) => email);
  expect(listed.slice(1).toSorted()).toEqual(invited.toSorted());
});

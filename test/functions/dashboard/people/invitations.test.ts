import { describe, expect, it } from 'vitest';
import { createWorkspace } from '#lib/service/people/workspaces/create-workspace.ts';
import { removeMember } from '#lib/service/people/workspaces/remove-member.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { memberOf, newAddress, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const members = '/workspace/members';
type Owner = Awaited<ReturnType<typeof ownerOf>>;

/** Invites an address as this owner. */
async function invite({ token }: Owner, email: string, role = 'member', minutes = 0): Promise<void> {
  const at = new Date(NOW.getTime() + minutes * 60_000);
  expect((await dashboard(token).post(members, { email, role }, { at })).status).toBe(200);
}

const invitationsOf = async (token: string) => (await dashboard(token).get('/me')).body.data.invitations;
const join = (token: string, id: unknown) => dashboard(token).post('/workspace/join', { workspace_id: id });
const decline = (token: string, id: unknown) => dashboard(token).post('/workspace/decline', { workspace_id: id });

const notFound = platformError(404, 'Invitation not found');
const hasWorkspace = platformError(409, 'This account already has a workspace');

/** An invitation as shown to the invited person. */
const told = ({ workspace, account }: Owner, role = 'member', invitedAt = NOW) => ({
  workspace_id: workspace.id,
  name: workspace.name,
  role,
  invited_by: account.name,
  invited_at: invitedAt.toISOString(),
});

describe('an invitation to a workspace', () => {
  it('is shown to the person with that e-mail address, who is in no workspace before accepting', async () => {
    const owner = await ownerOf(world);
    const email = newAddress('jane');
    await invite(owner, email, 'owner');
    const { token } = await signedInAs(world, email);
    const { body } = await dashboard(token).get('/me');
    expect(body.data).toMatchObject({ workspace: null, invitations: [told(owner, 'owner')] });
    expect((await dashboard(token).get('/workspace')).status).toBe(403);
  });

  it('has the role that an owner set last, and disappears when an owner withdraws it', async () => {
    const owner = await ownerOf(world);
    const { token, account } = await signedInAs(world);
    await invite(owner, account.email);
    await invite(owner, account.email, 'owner', 5);
    expect(await invitationsOf(token)).toEqual([told(owner, 'owner')]);
    await dashboard(owner.token).delete(`${members}/${encodeURIComponent(account.email)}`);
    expect(await invitationsOf(token)).toEqual([]);
    expect((await join(token, owner.workspace.id)).body).toEqual(notFound);
  });

  it('names the workspace’s first owner as the inviter if a former version of the service stored no inviter', async () => {
    const owner = await ownerOf(world);
    const { token, account } = await signedInAs(world);
    await invite(owner, account.email);
    const [item] = await world.items(`WORKSPACE#${owner.workspace.id}`);
    const old = (item!.members as object[]).map((member) => ({ ...member, invitedBy: undefined }));
    await world.replace({ ...item, members: old });
    expect(await invitationsOf(token)).toEqual([told(owner)]);
    expect((await join(token, owner.workspace.id)).status).toBe(200);
  });

  it('is shown if it is among the person’s 50 newest; older ones appear once newer ones are declined', async () => {
    const { token, account } = await signedInAs(world);
    const owners: Owner[] = [];
    for (let n = 0; n < 52; n++) {
      const owner = await ownerOf(world);
      await invite(owner, account.email, 'member', n);
      owners.push(owner);
    }
    const idsOf = (found: Owner[]) => found.map(({ workspace }) => workspace.id);
    const shown = (await invitationsOf(token)).map(({ workspace_id }: { workspace_id: number }) => workspace_id);
    expect(shown).toEqual(idsOf(owners).toReversed().slice(0, 50));
    await decline(token, owners.at(-1)!.workspace.id);
    expect((await invitationsOf(token)).at(-1).workspace_id).toBe(owners[1]!.workspace.id);
  });
});

describe('POST /workspace/join', () => {
  it('makes the account a member with the role in the invitation', async () => {
    const owner = await ownerOf(world);
    const { token, account } = await signedInAs(world);
    await invite(owner, account.email, 'owner');
    const { id, name, createdAt } = owner.workspace;
    expect(await join(token, id)).toEqual(
      dataReply({ id, name, role: 'owner', payouts_frozen: false, created_at: createdAt }),
    );
    expect((await dashboard(token).get('/me')).body.data).toMatchObject({
      workspace: { id, name, role: 'owner' },
      invitations: [],
    });
    const [item] = await world.items(`WORKSPACE#${id}`);
    expect(item!.members).toMatchObject([{}, { accountId: account.id, role: 'owner', joinedAt: NOW.toISOString() }]);
    expect(await world.items(`INVITATION#${account.email}`)).toEqual([]);
  });

  it.each([undefined, null])('is answered 400 for workspace_id %s', async (id) => {
    const { token } = await signedInAs(world);
    for (const act of [join, decline]) {
      expect((await act(token, id)).body).toEqual(platformError(400, 'Missing required fields: workspace_id'));
    }
  });

  it.each([999_999, 0, -1, 1.5, '1', [1], true])(
    'is answered 404 for workspace %j, to which the person is not invited',
    async (id) => {
      const { token } = await signedInAs(world);
      for (const act of [join, decline]) expect((await act(token, id)).body).toEqual(notFound);
    },
  );

  it('is answered 404 for another person’s invitation and for an invitation that was already accepted', async () => {
    const owner = await ownerOf(world);
    const [jane, john] = [await signedInAs(world), await signedInAs(world)];
    await invite(owner, jane.account.email);
    expect((await join(john.token, owner.workspace.id)).body).toEqual(notFound);
    await join(jane.token, owner.workspace.id);
    expect((await join(jane.token, owner.workspace.id)).body).toEqual(notFound);
  });

  it('is answered 409 for an account that is in a workspace and has to leave it first', async () => {
    const own = await ownerOf(world);
    const member = await memberOf(world, own.workspace);
    const owner = await ownerOf(world);
    await invite(owner, member.account.email);
    expect(await invitationsOf(member.token)).toEqual([told(owner)]);
    expect((await join(member.token, owner.workspace.id)).body).toEqual(hasWorkspace);
    expect((await dashboard(member.token).delete(`${members}/me`)).body).toEqual({ data: { removed: true } });
    expect((await join(member.token, owner.workspace.id)).status).toBe(200);
  });
});

describe('POST /workspace/decline', () => {
  it('removes the invitation, and an owner can invite the person again', async () => {
    const owner = await ownerOf(world);
    const { token, account } = await signedInAs(world);
    await invite(owner, account.email);
    expect(await decline(token, owner.workspace.id)).toEqual(dataReply({ declined: true }));
    expect(await world.items(`INVITATION#${account.email}`)).toEqual([]);
    expect((await dashboard(owner.token).get(members)).body.data).toHaveLength(1);
    expect((await decline(token, owner.workspace.id)).body).toEqual(notFound);
    await invite(owner, account.email);
    expect(await invitationsOf(token)).toHaveLength(1);
  });
});

describe('DELETE /workspace/members/me', () => {
  it('removes the caller from the workspace at once, and the account can create another one', async () => {
    const { workspace } = await ownerOf(world);
    const { token } = await memberOf(world, workspace);
    expect(await dashboard(token).delete(`${members}/me`)).toEqual(dataReply({ removed: true }));
    expect((await dashboard(token).get(members)).body).toEqual(
      platformError(403, 'No workspace found for this account'),
    );
    expect((await dashboard(token).post('/workspace', { name: 'Own' })).status).toBe(200);
  });

  it('is answered 409 for the only owner', async () => {
    const owner = await ownerOf(world);
    await memberOf(world, owner.workspace);
    const before = await world.items(`WORKSPACE#${owner.workspace.id}`);
    const needsOwner = platformError(409, 'A workspace needs at least one owner');
    expect((await dashboard(owner.token).delete(`${members}/me`)).body).toEqual(needsOwner);
    expect(await world.items(`WORKSPACE#${owner.workspace.id}`)).toEqual(before);
  });
});

describe('the limit of 200 members in a workspace', () => {
  it('includes invited people; roles can still change, and a member who leaves makes room for another', async () => {
    const owner = await ownerOf(world);
    const [item] = await world.items(`WORKSPACE#${owner.workspace.id}`);
    const pending = Array.from({ length: 199 }, (_, n) => ({
      email: `p${n}@full.test`,
      role: 'member',
      invitedAt: NOW.toISOString(),
    }));
    await world.replace({ ...item, members: [...(item!.members as object[]), ...pending] });
    const { post, delete: remove } = dashboard(owner.token);
    const full = platformError(409, 'A workspace has at most 200 members');
    const oneMore = { email: newAddress(), role: 'member' };
    expect((await post(members, oneMore)).body).toEqual(full);
    expect((await post(members, { email: 'p7@full.test', role: 'owner' })).status).toBe(200);
    await remove(`${members}/p7%40full.test`);
    expect((await post(members, oneMore)).status).toBe(200);
    expect((await post(members, { ...oneMore, email: newAddress() })).body).toEqual(full);
  });
});

const outcome = ({ status, body }: TestReply): string => (status === 200 ? 'OK' : body.error.message);
const outcomesOf = (replies: TestReply[]) => new Set(replies.map(outcome));

describe('parallel requests of invited people', () => {
  it('to accept two invitations make the person a member of one workspace, and the other invitation stays', async () => {
    for (let n = 0; n < 5; n++) {
      const [one, other] = [await ownerOf(world), await ownerOf(world)];
      const { token, account } = await signedInAs(world);
      await invite(one, account.email);
      await invite(other, account.email);
      const replies = await Promise.all([one, other].map(({ workspace }) => join(token, workspace.id)));
      expect(outcomesOf(replies)).toEqual(new Set(['OK', 'This account already has a workspace']));
      const { workspace, invitations } = (await dashboard(token).get('/me')).body.data;
      expect(new Set([workspace.id, invitations[0].workspace_id])).toEqual(
        new Set([one.workspace.id, other.workspace.id]),
      );
      for (const { workspace: each } of [one, other]) {
        const [item] = await world.items(`WORKSPACE#${each.id}`);
        const joined = (item!.members as { accountId?: number }[]).some(({ accountId }) => accountId === account.id);
        expect(joined).toBe(each.id === workspace.id);
      }
    }
  });

  it('to accept an invitation that an owner withdraws in parallel: either the acceptance or the withdrawal succeeds', async () => {
    for (let n = 0; n < 5; n++) {
      const owner = await ownerOf(world);
      const { token, account } = await signedInAs(world);
      await invite(owner, account.email);
      const withdrawal = removeMember(world.deps(), owner.workspace.id, { email: account.email }).then(
        () => 'withdrawn',
        () => 'too late',
      );
      const [reply, ended] = await Promise.all([join(token, owner.workspace.id), withdrawal]);
      expect(outcome(reply)).toBe(ended === 'withdrawn' ? 'Invitation not found' : 'OK');
      const [item] = await world.items(`WORKSPACE#${owner.workspace.id}`);
      expect(item!.members).toHaveLength(ended === 'withdrawn' ? 1 : 2);
      expect(await world.items(`INVITATION#${account.email}`)).toEqual([]);
    }
  });

  it('to accept and to decline the same invitation: either the acceptance or the refusal succeeds', async () => {
    const owner = await ownerOf(world);
    const { token, account } = await signedInAs(world);
    await invite(owner, account.email);
    const replies = await Promise.all([join(token, owner.workspace.id), decline(token, owner.workspace.id)]);
    expect(outcomesOf(replies)).toEqual(new Set(['OK', 'Invitation not found']));
  });

  it('to accept the same invitation several times add the person once', async () => {
    const owner = await ownerOf(world);
    const { token, account } = await signedInAs(world);
    await invite(owner, account.email);
    const replies = await Promise.all([1, 2, 3, 4].map(() => join(token, owner.workspace.id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const [item] = await world.items(`WORKSPACE#${owner.workspace.id}`);
    expect(item!.members).toHaveLength(2);
  });

  it('to join one workspace and to create another: exactly one of the two succeeds', async () => {
    const owner = await ownerOf(world);
    const { token, account } = await signedInAs(world);
    await invite(owner, account.email);
    const founding = createWorkspace(world.deps(), account, 'Own').then(
      ({ id }) => id,
      () => owner.workspace.id,
    );
    const [reply, id] = await Promise.all([join(token, owner.workspace.id), founding]);
    expect(outcome(reply)).toBe(id === owner.workspace.id ? 'OK' : 'This account already has a workspace');
    expect((await dashboard(token).get('/workspace')).body.data.id).toBe(id);
  });
});

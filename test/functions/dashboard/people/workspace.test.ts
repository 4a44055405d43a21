import { describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { memberOf, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { refusedReply, dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { handler as me } from '#functions/dashboard/me/get.ts';

const LATER = new Date('2026-11-20T15:00:30.000Z');

const world = openedWorld();

describe('a workspace', () => {
  it('is created with the account as its owner', async () => {
    const { token, account } = await signedInAs(world);
    const reply = await dashboard(token).post('/workspace', { name: '  Acme  ' }, { at: LATER });
    expect(reply).toEqual(
      dataReply({
        id: expect.any(Number),
        name: 'Acme',
        role: 'owner',
        payouts_frozen: false,
        created_at: LATER.toISOString(),
      }),
    );
    const { id } = reply.body.data;
    expect(await world.items(`WORKSPACE#${id}`)).toEqual([
      {
        pk: `WORKSPACE#${id}`,
        sk: 'WORKSPACE',
        id,
        name: 'Acme',
        version: 1,
        createdAt: LATER.toISOString(),
        members: [
          {
            accountId: account.id,
            email: account.email,
            role: 'owner',
            invitedAt: LATER.toISOString(),
            joinedAt: LATER.toISOString(),
          },
        ],
      },
    ]);
  });

  it('is shown to each of its members with the member’s role', async () => {
    const { token, workspace } = await ownerOf(world);
    const member = await memberOf(world, workspace);
    const shown = { id: workspace.id, name: 'Acme', payouts_frozen: false, created_at: NOW.toISOString() };
    expect(await dashboard(token).get('/workspace')).toEqual(dataReply({ ...shown, role: 'owner' }));
    expect((await dashboard(member.token).get('/workspace')).body).toEqual({ data: { ...shown, role: 'member' } });
  });

  it('can have a name of 120 characters', async () => {
    const { token } = await signedInAs(world);
    const { body } = await dashboard(token).post('/workspace', { name: ` ${'x'.repeat(120)} ` });
    expect(body.data.name).toBe('x'.repeat(120));
  });
});

describe('a request to create a workspace is refused with 400', () => {
  const wrongName = 'name must be a string of 1 to 120 characters';
  it.each([
    [{}, 'Missing required fields: name'],
    [{ name: null }, 'Missing required fields: name'],
    [{ name: '' }, wrongName],
    [{ name: ' \t ' }, wrongName],
    [{ name: 'x'.repeat(121) }, wrongName],
    [{ name: ['Acme'] }, wrongName],
    ['[]', 'Invalid JSON body'],
  ])('for the body %j, with the message “%s”', async (body, message) => {
    const { token } = await signedInAs(world);
    const reply = await dashboard(token).post('/workspace', body);
    expect(reply).toEqual(refusedReply(400, message));
    expect((await dashboard(token).get('/workspace')).status).toBe(403);
  });
});

describe('a request to create a workspace is refused with 409 “This account already has a workspace”', () => {
  const refused = platformError(409, 'This account already has a workspace');

  it('if an owner or a member sends it', async () => {
    const { token, workspace } = await ownerOf(world);
    const member = await memberOf(world, workspace);
    for (const { token: each } of [{ token }, member]) {
      expect((await dashboard(each).post('/workspace', { name: 'Second' })).body).toEqual(refused);
    }
  });

  it('only after the name was validated', async () => {
    const { token } = await ownerOf(world);
    expect((await dashboard(token).post('/workspace', { name: '' })).status).toBe(400);
  });

  it('if another of several parallel requests has succeeded', async () => {
    const { token } = await signedInAs(world);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => dashboard(token).post('/workspace', { name: `Acme ${index}` })),
    );
    const made = replies.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(replies.filter(({ body }) => body.error?.message === refused.error.message)).toHaveLength(5);
    expect((await dashboard(token).get('/workspace')).body).toEqual(made[0]?.body);
  });
});

const UNUSED_END = '2026-12-05T00:00:00.000Z';
const asMe = (key: string) => send(me, { method: 'GET', key });

describe('GET /me is answered 200', () => {
  it('and shows who is signed in, the workspace, and when the session ends', async () => {
    const { token, account, workspace } = await ownerOf(world);
    expect(await asMe(token)).toEqual(
      dataReply({
        account: { id: account.id, email: account.email, name: account.name },
        workspace: { id: workspace.id, name: 'Acme', role: 'owner' },
        invitations: [],
        token_expires_at: UNUSED_END,
      }),
    );
  });

  it('and shows that the person has no workspace', async () => {
    const { token } = await signedInAs(world);
    expect((await asMe(token)).body.data).toMatchObject({ workspace: null, token_expires_at: UNUSED_END });
  });
});

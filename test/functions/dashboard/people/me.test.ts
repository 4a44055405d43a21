import { describe, expect, it } from 'vitest';
import { handler as me } from '#functions/dashboard/me/get.ts';
import { ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const UNUSED_END = '2026-12-05T00:00:00.000Z';
const asMe = (key: string) => send(me, { method: 'GET', key });

describe('200', () => {
  it('shows who is signed in, where, and until when', async () => {
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

  it('shows that there is no workspace', async () => {
    const { token } = await signedInAs(world);
    expect((await asMe(token)).body.data).toMatchObject({ workspace: null, token_expires_at: UNUSED_END });
  });
});

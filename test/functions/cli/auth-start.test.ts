import { describe, expect, it } from 'vitest';
import { handler as start } from '#functions/cli/auth/start.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { loginItems } from '#test/support/callers/logins.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

describe('200', () => {
  it('starts a login that lasts 5 minutes', async () => {
    const reply = await send(start, {});
    const { state } = reply.body.data;
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(reply).toEqual({
      status: 200,
      headers: countedHeaders(60),
      body: {
        data: {
          state,
          auth_url: `https://track.test/cli/login?state=${state}`,
          poll_url: `https://track.test/api/v1/cli/auth/poll?state=${state}`,
          expires_at: '2026-11-20T15:05:00.000Z',
          code: expect.stringMatching(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/),
        },
      },
    });
    expect(await loginItems(world, state)).toEqual([
      expect.objectContaining({
        status: 'pending',
        startedAt: NOW.toISOString(),
        network: expect.stringMatching(/^10\.\d+\.\d+\.x$/),
        expires_at: NOW.getTime() / 1000 + 24 * 60 * 60,
      }),
    ]);
  });

  it.each([undefined, '', '{', '[]', { state: 'mine' }])('takes no input: %j', async (body) => {
    const reply = await send(start, { body });
    expect(reply.status).toBe(200);
    expect(reply.body.data.state).not.toBe('mine');
  });

  it('gives every login a state of its own, which the table does not know', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(start, {})));
    const states = replies.map(({ body }) => body.data.state as string);
    expect(new Set(states).size).toBe(20);
    const everything = JSON.stringify(await allItems(world));
    for (const state of states) expect(everything).not.toContain(state);
  });
});

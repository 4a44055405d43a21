import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { trustEdge } from '#lib/service/ground/counters/trust-edge.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { loggedIn } from '#test/support/callers/logins/logins.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { handler as session } from '#functions/dashboard/session/post.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/logins/opened-issuer.ts';

const world = openedWorld();
const issuer = openedIssuer();

const DAY = 86_400_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

/** Signs in the person with this e-mail address from this IP address. @returns the session's token */
async function opened(email: string, at = NOW, ip = '203.0.113.7'): Promise<string> {
  const id_token = await issuer.idToken({ sub: email, email }, { at });
  const { status, body } = await send(session, { body: { id_token }, at, ip });
  expect(status).toBe(200);
  return body.data.token;
}

const tokensOf = async (token: string, at = NOW) => (await dashboard(token).get('/tokens', { at })).body.data;
const listed = (more: object) => ({
  id: expect.stringMatching(/^[0-9a-f]{32}$/),
  kind: 'dashboard',
  created_at: NOW.toISOString(),
  last_used_on: '2026-11-20',
  address: '203.0.113.x',
  browser: null,
  place: null,
  current: false,
  ...more,
});

describe('GET /tokens', () => {
  it('lists the account’s valid tokens, newest first, with browser, time and location', async () => {
    const email = newAddress();
    const first = await opened(email);
    const second = await opened(email, later(60_000), '2001:db8:7::42');
    const cli = await loggedIn(issuer, email, later(120_000));
    await opened(newAddress());
    const { body } = await dashboard(second).get('/tokens', { at: later(180_000) });
    expect(body).toEqual({
      data: [
        listed({ kind: 'cli', created_at: later(120_000).toISOString(), address: expect.stringMatching(/x$/) }),
        listed({ created_at: later(60_000).toISOString(), address: '2001:db8:7:x', current: true }),
        listed({}),
      ],
    });
    const text = JSON.stringify(body);
    for (const token of [first, second, cli]) {
      expect(text).not.toContain(sha256(token));
      expect(text).not.toContain(sha256(token).slice(0, 32));
    }
    expect(await tokensOf(second, later(90 * DAY))).toHaveLength(2);
  });

  it('shows the browser, and the location only if CloudFront reports it', async () => {
    const email = newAddress();
    const secret = await trustEdge(world.deps());
    const through = async (sent: Record<string, string>) => {
      const headers = { 'referral-viewer-place': 'Lisbon, Portugal', 'user-agent': 'Firefox/132.0 (Windows)', ...sent };
      const { body } = await send(session, {
        body: { id_token: await issuer.idToken({ sub: email, email }) },
        headers,
      });
      return (await tokensOf(body.data.token)).find(({ current }: { current: boolean }) => current);
    };
    const browser = 'Firefox on Windows';
    expect(await through({ 'referral-edge-secret': secret })).toMatchObject({ browser, place: 'Lisbon, Portugal' });
    expect(await through({})).toMatchObject({ browser, place: null });
    expect(await through({ 'referral-edge-secret': 'guessed' })).toMatchObject({ browser, place: null });
  });

  it('shows the day of a token’s last use, which is written at most once a day', async () => {
    const token = await opened(newAddress());
    const item = async () => (await world.items(keys.credential(sha256(token)).pk))[0];
    await dashboard(token).get('/me', { at: later(2 * DAY) });
    await vi.waitFor(async () => expect((await item())!.lastUsedOn).toBe('2026-11-22'));
    await dashboard(token).get('/me', { at: later(DAY) });
    expect((await tokensOf(token, later(2 * DAY)))[0].last_used_on).toBe('2026-11-22');
  });
});

describe('DELETE /tokens/{id}', () => {
  it('revokes one session at once, and the other sessions stay valid', async () => {
    const email = newAddress();
    const [mine, other] = [await opened(email), await opened(email, later(1_000))];
    const [{ id }] = await tokensOf(mine);
    expect((await dashboard(mine).delete(`/tokens/${id}`)).body).toEqual({ data: { revoked: true } });
    expect((await dashboard(other).get('/me')).status).toBe(401);
    expect(await tokensOf(mine)).toHaveLength(1);
    expect((await dashboard(mine).delete(`/tokens/${id}`)).body).toEqual(platformError(404, 'Token not found'));
  });

  it('is answered 404 for another account’s token', async () => {
    const [mine, others] = [await opened(newAddress()), await opened(newAddress())];
    const [{ id }] = await tokensOf(others);
    for (const named of [id, 'x', sha256(others)]) {
      expect((await dashboard(mine).delete(`/tokens/${named}`)).body).toEqual(platformError(404, 'Token not found'));
    }
    expect((await dashboard(others).get('/me')).status).toBe(200);
  });
});

it('DELETE /tokens revokes all sessions except the caller’s', async () => {
  const email = newAddress();
  const [mine, ...others] = [await opened(email), await opened(email), await loggedIn(issuer, email)];
  expect((await dashboard(mine).delete('/tokens')).body).toEqual({ data: { revoked: 2 } });
  for (const token of others) expect((await dashboard(token).get('/me')).status).toBe(401);
  expect(await tokensOf(mine)).toEqual([listed({ current: true })]);
});

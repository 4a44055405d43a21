import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as session } from '#functions/dashboard/session/post.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { sha256, tokenIdOf } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { earned, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { type Issuer, openIssuer } from '#test/support/callers/logins/issuer.ts';
import { later, loggedIn, MINUTE } from '#test/support/callers/logins/logins.ts';
import { memberOf, newAddress, signedInAs } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { portal } from '#test/support/callers/portal.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Tests what a person can do with a browser in which another user signed in some time ago.

openProcessor();

let world: World;
let issuer: Issuer;
beforeAll(async () => {
  [world, issuer] = await Promise.all([openWorld(), openIssuer()]);
});

const DAY = 1_440 * MINUTE;
const AGAIN = { status: 403, body: platformError(403, 'Sign in again for this') };
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';

interface Entry {
  readonly at?: Date;
  /** The time of authentication at the issuer, if it is not now. */
  readonly authenticatedAt?: Date;
  readonly userAgent?: string;
}

async function signIn(email: string, { at = NOW, authenticatedAt, userAgent }: Entry = {}): Promise<string> {
  const claims = { sub: email, email, ...(authenticatedAt && { auth_time: authenticatedAt.getTime() / 1_000 }) };
  const { status, body } = await send(session, {
    body: { id_token: await issuer.idToken(claims, { at }) },
    ...(userAgent !== undefined && { headers: { 'user-agent': userAgent } }),
    at,
  });
  expect(status).toBe(200);
  return body.data.token;
}

describe('a session that is 16 minutes old', () => {
  let own: OwnedBrand;
  let email: string;
  beforeEach(async () => {
    own = await ownedBrand(world);
    email = (await own.owner.get('/me')).body.data.account.email;
  });
  const at = later(15 * MINUTE + 1);

  /** The reply to a request now, and at the last moment without another sign-in. */
  async function both(method: string, url: string, body: unknown = {}) {
    const path = url.startsWith('/workspace') ? url : own.path + url;
    const stale = await own.owner.ask(method, path, body, { at, isLeftAlone: true });
    const fresh = await own.owner.ask(method, path, body, { at: later(15 * MINUTE), isLeftAlone: true });
    return [{ status: stale.status, body: stale.body }, fresh.status];
  }
  const grant = { amount_cents: 1, currency: 'USD', reason: 'Bonus' };
  const endpoint = { url: 'https://hooks.example.com/', events: ['sale.recorded'] };

  it.each([
    ['cannot record a payout', 'POST', '/payouts', {}, 409],
    ['cannot create a program key', 'POST', '/api-key', {}, 200],
    ['cannot make a member an owner', 'POST', '/workspace/members', { email: 'mallory@evil.test', role: 'owner' }, 200],
    ['cannot set a signing secret', 'PUT', '/processor', { signing_secret: 'whsec_abcdefgh' }, 200],
    ['cannot connect a processor', 'POST', '/processor/connect', {}, 409],
    ['cannot disconnect a processor', 'DELETE', '/processor', {}, 200],
    ['cannot read a webhook’s secret', 'POST', '/webhooks', endpoint, 200],
  ])('%s', async (_, method, url, body, status) => {
    expect(await both(method, url, body)).toEqual([AGAIN, status]);
  });

  it('is refused sensitive changes before the fields of the request are checked', async () => {
    expect(await both('POST', '/payouts', '{')).toEqual([AGAIN, 400]);
    expect(await both('PUT', '/processor', {})).toEqual([AGAIN, 400]);
  });

  it('cannot grant a commission or replace a webhook’s secret', async () => {
    const { body } = await own.owner.post(`${own.path}/webhooks`, endpoint);
    expect(await both('POST', `/partners/${own.partner.id}/commissions`, grant)).toEqual([AGAIN, 200]);
    expect(await both('POST', `/webhooks/${body.data.id}/secret`)).toEqual([AGAIN, 200]);
  });

  it('can read the payout but not download full payout details', async () => {
    await earned(own, 1, {}, later(-60 * DAY));
    const { body } = await own.owner.post(`${own.path}/payouts`, {});
    expect(await both('GET', `/payouts/${body.data.id}.csv`)).toEqual([AGAIN, 200]);
    expect((await own.owner.get(`${own.path}/payouts/${body.data.id}`, { at, isLeftAlone: true })).status).toBe(200);
    expect((await own.owner.post(`${own.path}/payouts/preview`, {}, { at, isLeftAlone: true })).status).toBe(200);
  });

  it.each([
    ['cannot close an account', '/me', { closed: true }],
    ['cannot delete payout details', '/payout-details', { deleted: true }],
  ])('%s of the person who is signed in', async (_, path, data) => {
    const { token, account } = await signedInAs(world, newAddress('vera'));
    const sent = { confirm: account.email };
    const { ask, get } = portal(token);
    const paypal = { method: 'paypal', email: 'vera@example.com' };
    expect((await portal(token).put('/payout-details', paypal)).status).toBe(200);
    for (const old of [at, later(13 * DAY)]) {
      expect(await ask('DELETE', path, sent, { at: old, isLeftAlone: true })).toMatchObject(AGAIN);
    }
    expect(await ask('DELETE', path, '{', { at, isLeftAlone: true })).toMatchObject(AGAIN);
    expect((await get('/payout-details', { at, isLeftAlone: true })).body.data).toMatchObject({ method: 'paypal' });
    const fresh = await ask('DELETE', path, sent, { at: later(15 * MINUTE), isLeftAlone: true });
    expect(fresh).toMatchObject({ status: 200, body: { data } });
  });

  it('cannot remove an owner or demote one to member', async () => {
    const { body } = await own.owner.get('/workspace');
    const other = await memberOf(world, { id: body.data.id }, 'owner');
    const demoted = { email: other.account.email, role: 'member' };
    const removal = `/workspace/members/${other.account.id}`;
    const stale = { at, isLeftAlone: true } as const;
    expect(await own.owner.post('/workspace/members', demoted, stale)).toMatchObject(AGAIN);
    expect(await own.owner.delete(removal, stale)).toMatchObject(AGAIN);
    expect((await own.owner.post('/workspace/members', demoted)).status).toBe(200);
    expect((await own.owner.delete(removal, stale)).status).toBe(200);
  });

  it('can invite a member', async () => {
    const invited = { email: newAddress(), role: 'member' };
    expect((await own.owner.post('/workspace/members', invited, { at, isLeftAlone: true })).status).toBe(200);
  });

  it('can record a payout after signing in again', async () => {
    await earned(own, 1, {}, later(-60 * DAY));
    const again = dashboard(await signIn(email, { at }));
    expect((await again.post(`${own.path}/payouts`, {}, { at, isLeftAlone: true })).status).toBe(200);
  });

  it('does not become recent by a second token for the same sign-in, or by one for a sign-in that lies in the future', async () => {
    const token = await signIn(email, { at, authenticatedAt: later(-1 * MINUTE) });
    const { status, body } = await dashboard(token).post(`${own.path}/api-key`, {}, { at, isLeftAlone: true });
    expect({ status, body }).toEqual(AGAIN);
    const future = await signIn(email, { at, authenticatedAt: later(90 * DAY) });
    const next = later(30 * MINUTE + 2);
    expect(await dashboard(future).post(`${own.path}/api-key`, {}, { at: next, isLeftAlone: true })).toMatchObject(
      AGAIN,
    );
  });
});

const statusOf = async (token: string, at: Date) =>
  (await dashboard(token).get('/me', { at, isLeftAlone: true })).status;

describe('a token of the dashboard or the CLI expires', () => {
  it('at the end of the 14th day after its last use', async () => {
    const { token } = await signedInAs(world);
    expect(await statusOf(token, later(14 * DAY))).toBe(200);
    const { token: unused } = await signedInAs(world);
    expect(await statusOf(unused, new Date('2026-12-05T00:00:00.000Z'))).toBe(401);
  });

  it('never within 14 days of a use and always after 90 days, and replies contain the time at which it expires', async () => {
    const { token } = await signedInAs(world);
    const ends: string[] = [];
    for (let day = 13; day < 90; day += 13) {
      const { status, body } = await dashboard(token).get('/me', { at: later(day * DAY), isLeftAlone: true });
      expect(status).toBe(200);
      ends.push(body.data.token_expires_at);
      // The request does not wait for the last-use update.
      const lastUsedOn = later(day * DAY)
        .toISOString()
        .slice(0, 10);
      await expect.poll(() => world.items(keys.credential(sha256(token)).pk)).toMatchObject([{ lastUsedOn }]);
    }
    expect(ends[0]).toBe('2026-12-18T00:00:00.000Z');
    expect(ends.at(-1)).toBe('2027-02-18T15:00:00.000Z');
    expect(await statusOf(token, later(90 * DAY - 1))).toBe(200);
    expect(await statusOf(token, later(90 * DAY))).toBe(401);
  });

  it('after 90 days, whether used or not, if it is one of the CLI', async () => {
    const token = await loggedIn(issuer, newAddress());
    expect(await statusOf(token, later(90 * DAY - 1))).toBe(200);
    expect(await statusOf(token, later(90 * DAY))).toBe(401);
  });
});

const live = async (tokens: readonly string[]) => {
  const replies = await Promise.all(tokens.map((token) => dashboard(token).get('/me', { isLeftAlone: true })));
  return tokens.filter((_, n) => replies[n]!.status === 200);
};

describe('the 21st sign-in of a person', () => {
  it('ends the session that was unused for longest', async () => {
    const email = newAddress();
    const tokens: string[] = [];
    for (let n = 0; n < 20; n++) tokens.push(await signIn(email, { at: later((n - 30) * MINUTE) }));
    expect(await live(tokens)).toHaveLength(20);
    // The first session is used on a later day than the others.
    const tomorrow = later(DAY);
    expect((await dashboard(tokens[0]).get('/me', { at: tomorrow })).status).toBe(200);
    await expect
      .poll(() => world.items(keys.credential(sha256(tokens[0]!)).pk))
      .toMatchObject([{ lastUsedOn: '2026-11-21' }]);
    const last = await signIn(email, { at: tomorrow });
    expect(await live([...tokens, last])).toEqual([tokens[0], ...tokens.slice(2), last]);
    const byTerminal = await loggedIn(issuer, email, later(MINUTE));
    expect(await live([...tokens, last, byTerminal])).toEqual([tokens[0], ...tokens.slice(3), last, byTerminal]);
  });

  it('ends at least one older session if it is one of four parallel sign-ins, and the next sign-in leaves 20 in all', async () => {
    const email = newAddress();
    const tokens: string[] = [];
    for (let n = 0; n < 20; n++) tokens.push(await signIn(email, { at: later((n - 30) * MINUTE) }));
    const more = await Promise.all(Array.from({ length: 4 }, () => signIn(email)));
    const left = await live([...tokens, ...more]);
    expect(left.length).toBeGreaterThanOrEqual(20);
    expect(left.length).toBeLessThanOrEqual(20 + more.length - 1);
    expect(left.slice(-more.length)).toEqual(more);
    const last = await signIn(email);
    expect(await live([...left, last])).toEqual([...left, last].slice(-20));
  });
});

const mailOf = async (token: string, email: string) => {
  const id = mailIdOf({ kind: 'signed_in', fact: tokenIdOf(sha256(token)) }, email);
  return world.items(keys.mail(id).pk);
};

describe('a sign-in from a new browser', () => {
  it('sends a mail to the account, except for the first browser, and appears in the list of sessions', async () => {
    const email = newAddress();
    const first = await signIn(email, { userAgent: FIREFOX });
    const same = await signIn(email, { userAgent: FIREFOX, at: later(MINUTE) });
    const other = await signIn(email, { userAgent: SAFARI, at: later(2 * MINUTE) });
    const unnamed = await signIn(email, { at: later(3 * MINUTE) });
    expect(await mailOf(first, email)).toEqual([]);
    expect(await mailOf(same, email)).toEqual([]);
    expect(await mailOf(other, email)).toMatchObject([
      { to: { email }, data: { at: later(2 * MINUTE).toISOString(), browser: 'Safari on macOS' }, status: 'waiting' },
    ]);
    expect((await mailOf(unnamed, email))[0]!.data).not.toHaveProperty('browser');
    expect((await allItems(world)).filter((item) => (item.to as { email?: string })?.email === email)).toHaveLength(2);
    const { body } = await dashboard(first).get('/tokens', { at: later(3 * MINUTE) });
    expect(body.data.map(({ browser, place }: Record<string, unknown>) => [browser, place])).toEqual([
      [null, null],
      ['Safari on macOS', null],
      ['Firefox on Windows', null],
      ['Firefox on Windows', null],
    ]);
  });
});

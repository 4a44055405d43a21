import { describe, expect, it } from 'vitest';
import { handler as poll } from '#functions/cli/auth/poll.ts';
import { handler as programs } from '#functions/cli/programs.ts';
import { handler as listTokens } from '#functions/dashboard/tokens/get.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { suspendAccount, unsuspendAccount } from '#lib/service/operations/erasure/suspend-account.ts';
import { namedFailure, platformError } from '#test/support/servers/errors.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { ISSUER } from '#test/support/callers/logins/issuer.ts';
import { allItems } from '#test/support/table/invariants.ts';
import {
  completed,
  later,
  loggedIn,
  loginItems,
  MINUTE,
  openSession,
  pollFor,
  started,
} from '#test/support/callers/logins/logins.ts';
import { newAddress, ownerOf } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/logins/opened-issuer.ts';

const world = openedWorld();
const issuer = openedIssuer();

const HOUR = 60 * MINUTE;
const ok = (data: object, at: Date = NOW) => ({ status: 200, headers: countedHeaders(60, 1, at), body: { data } });
const refusal = (status: number, message: string) => ({
  status,
  headers: countedHeaders(60),
  body: platformError(status, message),
});
const loginToken = expect.stringMatching(/^lgn_[0-9A-Za-z]{40}$/);
const complete = (email: string) => ({ status: 'complete', token: loginToken, email, advertiser_id: null });

it('the list of an account’s tokens names the CLI and the operating system for a token that a poll returned', async () => {
  const email = newAddress();
  const state = await completed(issuer, email);
  const headers = { 'user-agent': 'affitor/1.2.3 (linux)' };
  expect((await send(poll, { method: 'GET', query: { state }, headers })).status).toBe(200);
  const { body } = await openSession(issuer, { sub: email, email });
  const listed = await send(listTokens, { method: 'GET', key: body.data.token });
  expect(listed.body.data.filter(({ kind }: { kind: string }) => kind === 'cli')).toMatchObject([
    { browser: 'affitor on Linux', place: null },
  ]);
});

describe('a poll of the CLI answers 200 for a login that no one has completed', () => {
  it.each([
    [0, 'pending'],
    [5 * MINUTE, 'pending'],
    [5 * MINUTE + 1, 'expired'],
    [24 * HOUR - 1, 'expired'],
  ])('and after %i ms reports the status %s', async (ms, status) => {
    expect(await pollFor(await started(), later(ms))).toEqual(ok({ status }, later(ms)));
  });
});

describe('a poll of the CLI answers 200 for a completed login', () => {
  it('and returns the token once and stores its SHA-256', async () => {
    const email = newAddress();
    const state = await completed(issuer, email);
    const reply = await pollFor(state);
    expect(reply).toEqual(ok(complete(email)));
    const { token } = reply.body.data;
    const [{ accountId } = {}] = await world.items(`ACCOUNT_EMAIL#${email}`);
    const expiry = { expires_at: NOW.getTime() / 1000 + 90 * 86_400 };
    expect(await world.items(`CREDENTIAL#${sha256(token)}`)).toMatchObject([
      { class: 'loginToken', accountId, expiresAt: later(90 * 24 * HOUR).toISOString(), ...expiry },
    ]);
    expect(await world.items(`ACCOUNT#${String(accountId)}`)).toMatchObject([
      { sk: 'ACCOUNT' },
      { sk: `IDENTITY#${ISSUER}#${email}`, issuer: ISSUER, subject: email },
      { sk: `TOKEN#${sha256(token)}`, ...expiry },
    ]);
    expect(await loginItems(world, state)).toMatchObject([{ status: 'consumed' }]);
    expect(JSON.stringify(await allItems(world))).not.toContain(token);
  });

  it('and returns the workspace of the account', async () => {
    const { account, workspace } = await ownerOf(world);
    const reply = await pollFor(await completed(issuer, account.email));
    expect(reply).toEqual(ok({ ...complete(account.email), advertiser_id: workspace.id }));
  });

  it.each([
    [5 * MINUTE, 'complete'],
    [5 * MINUTE + 1, 'complete'],
    [10 * MINUTE, 'complete'],
    [10 * MINUTE + 1, 'expired'],
    [24 * HOUR - 1, 'expired'],
  ])('and, %i ms after the start of the login, reports the status %s', async (ms, status) => {
    const email = newAddress();
    const state = await completed(issuer, email, later(3 * MINUTE));
    const { body } = await pollFor(state, later(ms));
    expect(body.data).toEqual(status === 'complete' ? complete(email) : { status });
  });

  it('and reports the status expired while the account is suspended, and returns the token after the suspension ends', async () => {
    const email = newAddress();
    const state = await completed(issuer, email);
    await suspendAccount(world.deps(), email);
    expect(await pollFor(state)).toEqual(ok({ status: 'expired' }));
    await unsuspendAccount(world.deps(), email);
    expect(await pollFor(state)).toEqual(ok(complete(email)));
  });
});

const list = (key: string, at?: Date) => send(programs, { method: 'GET', key, at });

describe('the CLI token that a poll returns', () => {
  it('is valid for listing programs for 90 days', async () => {
    const token = await loggedIn(issuer, newAddress());
    expect((await list(token)).body).toEqual({ data: [] });
    expect((await list(token, later(90 * 24 * HOUR - 1))).status).toBe(200);
    expect((await list(token, later(90 * 24 * HOUR))).body).toEqual(platformError(401, 'Invalid or expired token'));
  });

  it('becomes invalid when its account is suspended, and stays invalid when the suspension ends', async () => {
    const [email, other] = [newAddress(), await loggedIn(issuer, newAddress())];
    const tokens = [await loggedIn(issuer, email), await loggedIn(issuer, email)];
    expect(await suspendAccount(world.deps(), email)).toMatchObject({ tokensRevoked: 2 });
    for (const token of tokens) expect((await list(token)).status).toBe(401);
    await unsuspendAccount(world.deps(), email);
    for (const token of tokens) expect((await list(token)).status).toBe(401);
    expect((await list(other)).status).toBe(200);
    expect((await list(await loggedIn(issuer, email))).status).toBe(200);
  });
});

describe('a poll of the CLI answers 400', () => {
  it.each<Record<string, string> | undefined>([undefined, {}, { state: '' }, { State: 'x' }])(
    'with the name of the missing field, for %j',
    async (query) => {
      expect(await send(poll, { method: 'GET', query })).toEqual(refusal(400, 'Missing state parameter'));
    },
  );

  it('for a login whose token was returned before, until the login is 24 hours old', async () => {
    const state = await completed(issuer, newAddress());
    await pollFor(state);
    expect(await pollFor(state)).toEqual(refusal(400, 'Session already consumed'));
    for (const ms of [6 * MINUTE, 11 * MINUTE, 24 * HOUR - 1]) {
      expect((await pollFor(state, later(ms))).body).toEqual(platformError(400, 'Session already consumed'));
    }
  });
});

describe('a poll of the CLI answers 404', () => {
  it('for every login that is 24 hours old', async () => {
    const [pending, done] = [await started(), await completed(issuer, newAddress())];
    const used = await completed(issuer, newAddress());
    await pollFor(used);
    for (const state of [pending, done, used]) {
      expect((await pollFor(state, later(24 * HOUR))).body).toEqual(platformError(404, 'Session not found'));
    }
  });
});

describe('a poll of the CLI answers 500', () => {
  it.each(['read', 'second read', 'write'] as const)(
    'with the request id when the table’s %s fails, and the next poll returns the token',
    async (call) => {
      const email = newAddress();
      const state = await completed(issuer, email);
      const reply = await failing(call, refused('InternalServerError'), () => pollFor(state));
      expect(reply).toMatchObject({ status: 500, body: namedFailure('Failed to poll auth session', reply) });
      expect((await pollFor(state)).body.data).toEqual(complete(email));
    },
  );
});

describe('concurrent polls for one CLI login', () => {
  it('return exactly one token', async () => {
    const email = newAddress();
    const state = await completed(issuer, email);
    const replies = await Promise.all(Array.from({ length: 12 }, () => pollFor(state)));
    const [winner, ...others] = replies.toSorted((a, b) => a.status - b.status);
    expect(winner?.body.data).toEqual(complete(email));
    for (const { body } of others) expect(body).toEqual(platformError(400, 'Session already consumed'));
    const [{ accountId } = {}] = await world.items(`ACCOUNT_EMAIL#${email}`);
    expect((await world.items(`ACCOUNT#${String(accountId)}`)).map(({ sk }) => sk)).toEqual([
      'ACCOUNT',
      `IDENTITY#${ISSUER}#${email}`,
      `TOKEN#${sha256(winner?.body.data.token)}`,
    ]);
  });

  it('return no token if the account is suspended just before the token is written', async () => {
    const email = newAddress();
    const state = await completed(issuer, email);
    const reply = await failing(
      'write',
      async (sendOn) => {
        await suspendAccount(world.deps(), email);
        return sendOn();
      },
      () => pollFor(state),
    );
    expect(reply).toEqual(ok({ status: 'expired' }));
    const [{ accountId } = {}] = await world.items(`ACCOUNT_EMAIL#${email}`);
    expect((await world.items(`ACCOUNT#${String(accountId)}`)).map(({ sk }) => sk)).toEqual([
      'ACCOUNT',
      `IDENTITY#${ISSUER}#${email}`,
    ]);
  });

  it('leave no valid token if the account is suspended just after the token is written', async () => {
    const email = newAddress();
    const token = await loggedIn(issuer, email);
    await Promise.all([suspendAccount(world.deps(), email), list(token)]);
    expect((await list(token)).status).toBe(401);
  });
});

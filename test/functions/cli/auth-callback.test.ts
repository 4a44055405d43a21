import { describe, expect, it } from 'vitest';
import { handler as callback } from '#functions/cli/auth/callback.ts';
import { suspendAccount } from '#lib/service/operations/erasure/suspend-account.ts';
import { namedFailure, platformError } from '#test/support/servers/errors.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { ISSUER, issuerKey } from '#test/support/callers/logins/issuer.ts';
import {
  callBack,
  completed,
  later,
  loginItems,
  MINUTE,
  pollFor,
  started,
} from '#test/support/callers/logins/logins.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { send, NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/logins/opened-issuer.ts';
import { handler as start } from '#functions/cli/auth/start.ts';
import { allItems } from '#test/support/table/invariants.ts';

const world = openedWorld();
const issuer = openedIssuer();

const tokenOf = (email: string, at?: Date) => issuer.idToken({ sub: email, email }, { at });
const refusal = (status: number, message: string, details?: object) => ({
  status,
  headers: countedHeaders(60),
  body: platformError(status, message, details),
});

describe('a request to complete a CLI login gets 200', () => {
  it('and completes the login and creates an account', async () => {
    const [state, email] = [await started(), newAddress()];
    expect(await callBack(state, await tokenOf(email))).toEqual({
      status: 200,
      headers: countedHeaders(60),
      body: { data: { status: 'complete' } },
    });
    const [{ accountId } = {}] = await world.items(`ACCOUNT_EMAIL#${email}`);
    expect(await loginItems(world, state)).toMatchObject([{ status: 'complete', accountId }]);
    expect(await world.items(`ACCOUNT#${String(accountId)}`)).toMatchObject([
      { email, sk: 'ACCOUNT' },
      { sk: `IDENTITY#${ISSUER}#${email}`, issuer: ISSUER, subject: email },
    ]);
  });

  it('but creates no CLI token, because only the next poll of the CLI does that', async () => {
    const email = newAddress();
    await completed(issuer, email);
    const [{ accountId } = {}] = await world.items(`ACCOUNT_EMAIL#${email}`);
    const items = await world.items(`ACCOUNT#${String(accountId)}`);
    expect(items.map(({ sk }) => sk)).toEqual(['ACCOUNT', `IDENTITY#${ISSUER}#${email}`]);
  });

  it('for a login that was started exactly 5 minutes ago', async () => {
    const at = later(5 * MINUTE);
    expect((await callBack(await started(), await tokenOf(newAddress(), at), at)).status).toBe(200);
  });
});

describe('a request to complete a CLI login gets 400', () => {
  it.each<object>([
    {},
    { state: 'state' },
    { id_token: 'token' },
    { state: '', id_token: 'token' },
    { state: 'state', id_token: '' },
    { state: null, id_token: 'token' },
    { state: 7, id_token: 'token' },
    { state: 'state', id_token: {} },
  ])('with the names of the required fields, for the body %j', async (body) => {
    expect(await send(callback, { body })).toEqual(refusal(400, 'Missing required fields: state, id_token'));
  });

  it('for a login that expired a millisecond ago, even if the ID token is invalid too', async () => {
    const [state, at] = [await started(), later(5 * MINUTE + 1)];
    for (const token of ['no token', await tokenOf(newAddress(), at)]) {
      expect((await callBack(state, token, at)).body).toEqual(platformError(400, 'Session expired'));
    }
    expect(await loginItems(world, state)).toMatchObject([{ status: 'pending' }]);
  });
});

describe('a request to complete a CLI login gets 401', () => {
  it('for an invalid ID token, and the login stays pending', async () => {
    const [state, email] = [await started(), newAddress()];
    expect(await callBack(state, 'no token')).toEqual(refusal(401, 'Invalid or expired id_token'));
    expect(await callBack(state, await tokenOf(email, later(-20 * MINUTE)))).toEqual(
      refusal(401, 'Invalid or expired id_token'),
    );
    expect(await world.items(`ACCOUNT_EMAIL#${email}`)).toEqual([]);
    expect((await callBack(state, await tokenOf(email))).status).toBe(200);
  });
});

describe('a request to complete a CLI login gets 403', () => {
  it('for a suspended account; the login stays pending and nothing is written', async () => {
    const [state, email] = [await started(), newAddress()];
    const { account } = await signedInAs(world, email);
    await suspendAccount(world.deps(), email);
    const before = await world.items(`ACCOUNT#${account.id}`);
    const token = await issuer.idToken({ sub: 'a new subject', email, name: 'A new name' });
    expect(await callBack(state, token)).toEqual(
      refusal(403, 'Your account has been suspended.', { code: 'ACCOUNT_BLOCKED' }),
    );
    expect(await world.items(`ACCOUNT#${account.id}`)).toEqual(before);
    expect(await world.items('IDENTITY#https://issuer.test#a new subject')).toEqual([]);
    expect((await pollFor(state)).body).toEqual({ data: { status: 'pending' } });
  });
});

describe('a request to complete a CLI login gets 404', () => {
  const notFound = refusal(404, 'Session not found or already used');

  it('for a login that was completed, even six minutes ago', async () => {
    const state = await completed(issuer, newAddress());
    expect(await callBack(state, await tokenOf(newAddress()))).toEqual(notFound);
    expect(await callBack(state, 'no token', later(6 * MINUTE))).toMatchObject({ status: 404 });
  });

  it('for a login whose CLI token a poll has already returned', async () => {
    const state = await completed(issuer, newAddress());
    await pollFor(state);
    expect(await callBack(state, await tokenOf(newAddress()))).toEqual(notFound);
  });

  it('for every login that was started 24 hours ago or earlier', async () => {
    const state = await started();
    expect((await callBack(state, 'no token', later(24 * 60 * MINUTE - 1))).status).toBe(400);
    expect((await callBack(state, 'no token', later(24 * 60 * MINUTE))).status).toBe(404);
  });
});

describe('a request to complete a CLI login gets 500', () => {
  it('with the request id when the identity provider’s keys cannot be loaded; the login stays pending', async () => {
    const [state, email] = [await started(), newAddress()];
    const unknown = await issuer.idToken({ sub: email, email }, { key: await issuerKey('new') });
    issuer.answerWith(500);
    const reply = await callBack(state, unknown);
    issuer.answerWith(200);
    expect(reply).toEqual({
      status: 500,
      headers: countedHeaders(60),
      body: namedFailure('Auth callback failed', reply),
    });
    expect((await callBack(state, await tokenOf(email))).status).toBe(200);
  });

  it('with the request id when a call of the table fails', async () => {
    const body = { state: await started(), id_token: await tokenOf(newAddress()) };
    const reply = await failing('second write', refused('InternalServerError'), () => send(callback, { body }));
    expect(reply).toMatchObject({ status: 500, body: namedFailure('Auth callback failed', reply) });
  });
});

describe('two people who complete the same CLI login in parallel', () => {
  it('get one 200 and one 404, and the CLI gets the token of the person with the 200', async () => {
    const [state, emails] = [await started(), [newAddress(), newAddress()]];
    const tokens = await Promise.all(emails.map((email) => tokenOf(email)));
    const replies = await Promise.all(tokens.map((token) => callBack(state, token)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 404]));
    const winner = replies.findIndex(({ status }) => status === 200);
    expect((await pollFor(state)).body.data.email).toBe(emails[winner]);
  });
});

describe('a request to start a CLI login gets 200', () => {
  it('and creates a login that lasts 5 minutes', async () => {
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

  it.each([undefined, '', '{', '[]', { state: 'mine' }])('with any request body: %j', async (body) => {
    const reply = await send(start, { body });
    expect(reply.status).toBe(200);
    expect(reply.body.data.state).not.toBe('mine');
  });

  it('with a different random state for each login, which the table stores only as a hash', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(start, {})));
    const states = replies.map(({ body }) => body.data.state as string);
    expect(new Set(states).size).toBe(20);
    const everything = JSON.stringify(await allItems(world));
    for (const state of states) expect(everything).not.toContain(state);
  });
});

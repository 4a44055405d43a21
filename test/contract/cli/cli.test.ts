import { describe, expect, it } from 'vitest';
import { handler as callback } from '#functions/cli/auth/callback.ts';
import { handler as poll } from '#functions/cli/auth/poll.ts';
import { handler as start } from '#functions/cli/auth/start.ts';
import { handler as init } from '#functions/cli/init.ts';
import { handler as paymentConnect } from '#functions/cli/payment-connect.ts';
import { handler as programs } from '#functions/cli/programs.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { suspendAccount } from '#lib/service/operations/erasure/suspend-account.ts';
import { namedFailure, platformError } from '#test/support/servers/errors.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { completed, later, MINUTE, pollFor, started } from '#test/support/callers/logins.ts';
import { newAddress, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/opened-issuer.ts';

// Errors of the command line's routes, in the order of the checks.

const world = openedWorld();
const issuer = openedIssuer();

interface Row {
  readonly status: number;
  readonly message: string;
  readonly details?: object;
  readonly handler: Handler;
  /** What provokes it. */
  readonly request: () => TestRequest | Promise<TestRequest>;
}

const idTokenOf = (email: string, at?: Date) => issuer.idToken({ sub: email, email }, { at });
const get = (query: Record<string, string> = {}) => ({ method: 'GET', query });
const valid = { name: 'My SaaS', domain: 'example.com', commission_type: 'percent', commission_rate: 20 };

const byOwner = async (body: object) => ({ key: (await ownerOf(world)).token, body });

/** The token of an account that is no longer there. */
async function orphanedToken(): Promise<string> {
  const { token, account } = await signedInAs(world);
  await world.deps().table.transact([{ name: 'account', key: keys.account(account.id), remove: true }]);
  return token;
}

async function suspendedAddress(): Promise<string> {
  const { account } = await signedInAs(world);
  await suspendAccount(world.deps(), account.email);
  return account.email;
}

const loginFirst = 'Authentication required — run `affitor login` first';

const rows: Record<string, Row[]> = {
  'auth/callback': [
    {
      status: 400,
      message: 'Missing required fields: state, id_token',
      handler: callback,
      request: () => ({ body: {} }),
    },
    {
      status: 404,
      message: 'Session not found or already used',
      handler: callback,
      request: async () => ({ body: { state: 'unknown', id_token: await idTokenOf(newAddress()) } }),
    },
    {
      status: 400,
      message: 'Session expired',
      handler: callback,
      request: async () => {
        const at = later(5 * MINUTE + 1);
        return { body: { state: await started(), id_token: await idTokenOf(newAddress(), at) }, at };
      },
    },
    {
      status: 401,
      message: 'Invalid or expired id_token',
      handler: callback,
      request: async () => ({ body: { state: await started(), id_token: 'x' } }),
    },
    {
      status: 403,
      message: 'Your account has been suspended.',
      details: { code: 'ACCOUNT_BLOCKED' },
      handler: callback,
      request: async () => ({ body: { state: await started(), id_token: await idTokenOf(await suspendedAddress()) } }),
    },
  ],
  'auth/poll': [
    { status: 400, message: 'Missing state parameter', handler: poll, request: () => get() },
    { status: 404, message: 'Session not found', handler: poll, request: () => get({ state: 'unknown' }) },
    {
      status: 400,
      message: 'Session already consumed',
      handler: poll,
      request: async () => {
        const state = await completed(issuer, newAddress());
        await pollFor(state);
        return get({ state });
      },
    },
  ],
  init: [
    { status: 401, message: loginFirst, handler: init, request: () => ({ body: valid }) },
    { status: 401, message: 'Invalid or expired token', handler: init, request: () => ({ key: 'x', body: valid }) },
    {
      status: 401,
      message: 'User not found',
      handler: init,
      request: async () => ({ key: await orphanedToken(), body: valid }),
    },
    {
      status: 403,
      message: 'No advertiser account found for this user',
      handler: init,
      request: async () => ({ key: (await signedInAs(world)).token, body: valid }),
    },
    {
      status: 403,
      message: 'advertiser_id does not match the authenticated account',
      handler: init,
      request: async () => byOwner({ ...valid, advertiser_id: (await ownerOf(world)).workspace.id }),
    },
    {
      status: 400,
      message: 'Missing required fields: name, domain, commission_type, commission_rate',
      handler: init,
      request: () => byOwner({}),
    },
    {
      status: 400,
      message: 'Invalid commission_type: weekly. Valid: percent, fixed, recurring_percent, recurring_fixed',
      handler: init,
      request: () => byOwner({ ...valid, commission_type: 'weekly' }),
    },
    {
      status: 400,
      message: 'commission_rate must be a positive number',
      handler: init,
      request: () => byOwner({ ...valid, commission_rate: 0 }),
    },
  ],
  programs: [
    { status: 401, message: loginFirst, handler: programs, request: () => get() },
    { status: 401, message: 'Invalid or expired token', handler: programs, request: () => ({ ...get(), key: 'x' }) },
    {
      status: 401,
      message: 'User not found',
      handler: programs,
      request: async () => ({ ...get(), key: await orphanedToken() }),
    },
  ],
  'payment-connect': [
    {
      status: 410,
      message: 'This endpoint is retired. Connect your payment processor from the dashboard: program Settings.',
      handler: paymentConnect,
      request: () => ({ body: {} }),
    },
  ],
};

describe.each(Object.entries(rows))('%s', (_, ofRoute) => {
  it.each(ofRoute)('$status $message', async ({ status, message, details, handler, request }) => {
    const sent = await request();
    expect(await send(handler, sent)).toEqual({
      status,
      headers: countedHeaders(60, 1, sent.at ?? NOW),
      body: platformError(status, message, details),
    });
  });
});

describe('500 names the request, in its text and in its details', () => {
  const failures: readonly (readonly [string, Handler, () => TestRequest | Promise<TestRequest>])[] = [
    ['Failed to start auth session', start, () => ({})],
    ['Auth callback failed', callback, async () => ({ body: { state: await started(), id_token: 'x' } })],
    ['Failed to poll auth session', poll, () => get({ state: 'any' })],
    ['Failed to create program', init, () => byOwner(valid)],
    ['Failed to list programs', programs, async () => ({ ...get(), key: (await ownerOf(world)).token })],
  ];

  it.each(failures)('%s', async (text, handler, request) => {
    const sent = await request();
    const failed = handler === start ? 'write' : 'read';
    const reply: TestReply = await failing(failed, refused('InternalServerError'), () => send(handler, sent));
    expect(reply).toEqual({
      status: 500,
      headers: expect.objectContaining(countedHeaders(60)),
      body: namedFailure(text, reply),
    });
    expect(reply.body.error.message).toMatch(/ \(request_id: [0-9a-f]{32}\)$/);
  });
});

import { describe, expect, it } from 'vitest';
import { handler as callback } from '#functions/cli/auth/callback.ts';
import { handler as poll } from '#functions/cli/auth/poll.ts';
import { handler as start } from '#functions/cli/auth/start.ts';
import { handler as init } from '#functions/cli/init.ts';
import { handler as programs } from '#functions/cli/programs.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { suspendAccount } from '#lib/service/operations/erasure/suspend-account.ts';
import { namedFailure, platformError } from '#test/support/servers/errors.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { completed, later, MINUTE, pollFor, started } from '#test/support/callers/logins/logins.ts';
import { newAddress, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openedIssuer } from '#test/support/callers/logins/opened-issuer.ts';

// The errors of the CLI routes, in the order of the checks.

const world = openedWorld();
const issuer = openedIssuer();

/** Status and message, the request that causes it, and the details of the error. */
type Row = readonly [number, string, () => TestRequest | Promise<TestRequest>, object?];

const idTokenOf = (email: string, at?: Date) => issuer.idToken({ sub: email, email }, { at });
const get = (query: Record<string, string> = {}) => ({ method: 'GET', query });
const valid = { name: 'My SaaS', domain: 'example.com', commission_type: 'percent', commission_rate: 20 };

const byOwner = async (body: object) => ({ key: (await ownerOf(world)).token, body });

/** The token of a deleted account. */
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

const orphaned = async () => ({ ...get(), key: await orphanedToken() });
const rows: readonly (readonly [string, Handler, readonly Row[]])[] = [
  [
    'auth/callback',
    callback,
    [
      [400, 'Missing required fields: state, id_token', () => ({ body: {} })],
      [
        404,
        'Session not found or already used',
        async () => ({ body: { state: 'unknown', id_token: await idTokenOf(newAddress()) } }),
      ],
      [
        400,
        'Session expired',
        async () => {
          const at = later(5 * MINUTE + 1);
          return { body: { state: await started(), id_token: await idTokenOf(newAddress(), at) }, at };
        },
      ],
      [401, 'Invalid or expired id_token', async () => ({ body: { state: await started(), id_token: 'x' } })],
      [
        403,
        'Your account has been suspended.',
        async () => ({ body: { state: await started(), id_token: await idTokenOf(await suspendedAddress()) } }),
        { code: 'ACCOUNT_BLOCKED' },
      ],
    ],
  ],
  [
    'auth/poll',
    poll,
    [
      [400, 'Missing state parameter', () => get()],
      [404, 'Session not found', () => get({ state: 'unknown' })],
      [
        400,
        'Session already consumed',
        async () => {
          const state = await completed(issuer, newAddress());
          await pollFor(state);
          return get({ state });
        },
      ],
    ],
  ],
  [
    'init',
    init,
    [
      [401, loginFirst, () => ({ body: valid })],
      [401, 'Invalid or expired token', () => ({ key: 'x', body: valid })],
      [401, 'User not found', async () => ({ key: await orphanedToken(), body: valid })],
      [
        403,
        'No advertiser account found for this user',
        async () => ({ key: (await signedInAs(world)).token, body: valid }),
      ],
      [
        403,
        'advertiser_id does not match the authenticated account',
        async () => byOwner({ ...valid, advertiser_id: (await ownerOf(world)).workspace.id }),
      ],
      [400, 'Missing required fields: name, domain, commission_type, commission_rate', () => byOwner({})],
      [
        400,
        'Invalid commission_type: weekly. Valid: percent, fixed, recurring_percent, recurring_fixed',
        () => byOwner({ ...valid, commission_type: 'weekly' }),
      ],
      [400, 'commission_rate must be a positive number', () => byOwner({ ...valid, commission_rate: 0 })],
    ],
  ],
  [
    'programs',
    programs,
    [
      [401, loginFirst, () => get()],
      [401, 'Invalid or expired token', () => ({ ...get(), key: 'x' })],
      [401, 'User not found', orphaned],
    ],
  ],
];

for (const [name, handler, ofRoute] of rows)
  describe(`a request to the CLI endpoint ${name} is answered`, () => {
    for (const [status, message, request, details] of ofRoute)
      it(`${status} ${message}`, async () => {
        const sent = await request();
        expect(await send(handler, sent)).toEqual({
          status,
          headers: countedHeaders(60, 1, sent.at ?? NOW),
          body: platformError(status, message, details),
        });
      });
  });

describe('the reply 500 of each CLI endpoint', () => {
  const failures: readonly (readonly [string, Handler, () => TestRequest | Promise<TestRequest>])[] = [
    ['Failed to start auth session', start, () => ({})],
    ['Auth callback failed', callback, async () => ({ body: { state: await started(), id_token: 'x' } })],
    ['Failed to poll auth session', poll, () => get({ state: 'any' })],
    ['Failed to create program', init, () => byOwner(valid)],
    ['Failed to list programs', programs, async () => ({ ...get(), key: (await ownerOf(world)).token })],
  ];

  it.each(failures)(
    'has the message “%s” with the request id, which is in its details as well',
    async (text, handler, request) => {
      const sent = await request();
      const failed = handler === start ? 'write' : 'read';
      const reply: TestReply = await failing(failed, refused('InternalServerError'), () => send(handler, sent));
      expect(reply).toEqual({
        status: 500,
        headers: expect.objectContaining(countedHeaders(60)),
        body: namedFailure(text, reply),
      });
      expect(reply.body.error.message).toMatch(/ \(request_id: [0-9a-f]{32}\)$/);
    },
  );
});

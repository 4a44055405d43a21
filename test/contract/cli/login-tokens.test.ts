import { beforeAll, describe, expect, it } from 'vitest';
import { type Route, routes } from '#infra/routes.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { closeSession } from '#lib/service/people/accounts/close-session.ts';
import { openSession } from '#lib/service/programs/joining/open-session.ts';
import { suspendAccount } from '#lib/service/operations/erasure/suspend-account.ts';
import { platformError } from '#test/support/servers/errors.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { loadedFunction } from '#test/support/servers/functions.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { signedInAs } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';
import { everyNth } from '#test/support/cases/cases.ts';

// The 401 of every route with a login token, in the CLI and in the dashboard.

const CLI = '/api/v1/cli/';
const DASHBOARD = '/api/dashboard/v1/';
/** Routes that sign people in, have no credential, or are called by a browser without one. */
const open = [
  'cli/auth/start',
  'cli/auth/request',
  'cli/auth/callback',
  'cli/auth/poll',
  'cli/payment-connect',
  'dashboard/session/post',
];
const byProgramKey = ['cli/status', 'cli/test-event'];

const guarded = routes.filter(
  ({ path, function: name }) =>
    (path.startsWith(CLI) || path.startsWith(DASHBOARD)) &&
    ![...open, ...byProgramKey, 'dashboard/processor/callback'].includes(name),
);

let world: World;
let brand: Brand;
/** The refused tokens by name. */
const tokens = new Map<string, string>();
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  for (const [name, tokenOf] of Object.entries(refusedTokens)) tokens.set(name, await tokenOf());
});

async function ask({ method, path, function: name }: Route, headers: Record<string, string>, at: Date = NOW) {
  const { handler } = await loadedFunction(name);
  const pathParameters = { id: String(brand.program.id), account_id: '1', partner_id: '1', short_link: 'x' };
  return send(handler as Handler, { method, path, pathParameters, headers, body: '{', at, isLeftAlone: true });
}
const refusal = (route: Route, message: string, at: Date = NOW) => ({
  status: 401,
  headers: countedHeaders(route.path.startsWith(CLI) ? 60 : 300, 1, at),
  body: platformError(401, message),
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Makes login tokens that are not valid, and credentials of other kinds. */
const refusedTokens: Record<string, () => Promise<string>> = {
  async revoked() {
    const { token, account } = await signedInAs(world);
    await closeSession(world.deps(), account.id, token);
    return token;
  },
  async 'of a suspended account'() {
    const { token, account } = await signedInAs(world);
    await suspendAccount(world.deps(), account.email);
    return token;
  },
  async 'of an account that is being suspended'() {
    const { token, account } = await signedInAs(world);
    await world.deps().table.update(keys.account(account.id), { set: { suspendedAt: NOW.toISOString() } });
    return token;
  },
  'a program key': async () => brand.key,
  async 'an agent key'() {
    const key = `agt_${'1'.repeat(40)}`;
    await world.deps().table.put(keys.credential(sha256(key)), { class: 'agentKey', workspaceId: 1, scopes: [] });
    return key;
  },
  'a token’s SHA-256': async () => sha256((await signedInAs(world)).token),
  'a token in another case': async () => (await signedInAs(world)).token.toUpperCase(),
  'an unknown token': async () => `lgn_${'0'.repeat(40)}`,
  random: async () => 'x',
};

for (const [at, route] of guarded.entries())
  describe(`${route.method} ${route.path} answers 401 to a request`, everyNth(4, at), () => {
    it('without a token', async () => {
      const message = route.path.startsWith(CLI)
        ? 'Authentication required — run `affitor login` first'
        : 'Sign in to continue';
      const { token } = await signedInAs(world);
      for (const header of ['Basic YTpi', `bearer ${token}`, `Bearer${token}`, token, 'Bearer', 'Bearer   ']) {
        expect(await ask(route, { authorization: header })).toEqual(refusal(route, message));
      }
      expect(await ask(route, {})).toEqual(refusal(route, message));
    });

    it('with an invalid login token, such as a revoked one, or with a program key or agent key', async () => {
      const { headers, ...rest } = refusal(route, 'Invalid or expired token');
      const expected = { ...rest, headers: Object.keys(headers).toSorted() };
      for (const [name, token] of tokens) {
        const reply = await ask(route, bearer(token));
        expect({ name, ...reply, headers: Object.keys(reply.headers).toSorted() }).toEqual({ name, ...expected });
      }
    });

    it('with a token whose session has expired, though it is still stored', async () => {
      const { token } = await signedInAs(world);
      // The expiry of a session that is not used.
      const end = new Date('2026-12-05T00:00:00.000Z');
      expect(await ask(route, bearer(token), end)).toEqual(refusal(route, 'Invalid or expired token', end));
      expect((await ask(route, bearer(token), new Date(end.getTime() - 1))).status).not.toBe(401);
    });

    it('with a token of a deleted account', async () => {
      const { token, account } = await signedInAs(world);
      await world.deps().table.transact([{ name: 'account', key: keys.account(account.id), remove: true }]);
      expect(await ask(route, bearer(token))).toEqual(refusal(route, 'User not found'));
    });
  });

it.each([0, 1, 250, 999])(
  'a login token issued %i ms after a full second expires exactly at the time in the sign-in’s reply',
  async (ms) => {
    const issuedAt = new Date(NOW.getTime() + ms);
    const email = `ends-${ms}@people.test`;
    const idToken = { hash: email, endsAtSeconds: NOW.getTime() / 1000 };
    const identity = { issuer: 'test', subject: email, email, signedInAt: issuedAt.toISOString(), idToken };
    const { token, expiresAt } = await openSession(world.deps(issuedAt), identity);
    const { handler } = await loadedFunction('dashboard/me/get');
    const statusAt = async (at: Date) =>
      (await send(handler as Handler, { method: 'GET', headers: bearer(token), at })).status;
    // The later time comes first, because a use extends the token's lifetime.
    expect(await statusAt(expiresAt)).toBe(401);
    expect(await statusAt(new Date(expiresAt.getTime() - 1))).toBe(200);
  },
);

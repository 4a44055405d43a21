import { describe, expect, it } from 'vitest';
import { handler as callback } from '#functions/cli/auth/callback.ts';
import { handler as poll } from '#functions/cli/auth/poll.ts';
import { handler as start } from '#functions/cli/auth/start.ts';
import { handler as init } from '#functions/cli/init.ts';
import { handler as paymentConnect } from '#functions/cli/payment-connect.ts';
import { handler as programs } from '#functions/cli/programs.ts';
import { handler as session } from '#functions/dashboard/session/post.ts';
import { handler as notFound } from '#functions/not-found.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { closeSession } from '#lib/service/people/accounts/close-session.ts';
import { rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { signedInAs } from '#test/support/programs/people.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import { refusedReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// All `/api/v1/cli/*` routes share a limit of 60 requests a minute per program key or login token, else per address.

const world = openedWorld();

let addresses = 0;
const newIp = () => `198.51.100.${++addresses}`;
const remaining = ({ headers }: TestReply) => Number(headers['X-RateLimit-Remaining']);

const everyRoute: readonly (readonly [Handler, TestRequest])[] = [
  [start, {}],
  [callback, {}],
  [poll, { method: 'GET' }],
  [init, {}],
  [programs, { method: 'GET' }],
  [paymentConnect, {}],
  [notFound, { method: 'GET', path: '/api/v1/cli/auth/start' }],
  [notFound, { path: '/api/v1/cli/unknown' }],
];

const sendAll = async (request: TestRequest) => {
  const left: number[] = [];
  for (const [handler, own] of everyRoute) left.push(remaining(await send(handler, { ...own, ...request })));
  return left;
};
const countingDown = everyRoute.map((_, index) => 59 - index);

describe('all CLI routes and unknown CLI paths share one rate limit', () => {
  it('for requests from one IP address', async () => {
    expect(await sendAll({ ip: newIp() })).toEqual(countingDown);
  });

  it('for requests with one login token, from any IP addresses', async () => {
    const { token } = await signedInAs(world);
    expect(await sendAll({ key: token })).toEqual(countingDown);
  });

  it('for requests with one program key, from any IP addresses', async () => {
    expect(await sendAll({ key: (await world.brand()).key })).toEqual(countingDown);
  });
});

describe('requests to the CLI routes are counted by IP address', () => {
  it.each<[string, () => Promise<string>]>([
    [
      'a revoked token',
      async () => {
        const { token, account } = await signedInAs(world);
        await closeSession(world.deps(), account.id, token);
        return token;
      },
    ],
    ['an unknown login token', async () => `lgn_${'0'.repeat(40)}`],
    ['an unknown agent key', async () => `agt_${'0'.repeat(40)}`],
    ['an empty token', async () => ''],
  ])('if their credential is %s', async (_, keyOf) => {
    const ip = newIp();
    await send(programs, { method: 'GET', ip, key: await keyOf() });
    expect(remaining(await send(programs, { method: 'GET', ip }))).toBe(58);
  });

  it('if their login token has expired', async () => {
    const { token } = await signedInAs(world);
    const [ip, at] = [newIp(), new Date(NOW.getTime() + 90 * 86_400_000)];
    await send(programs, { method: 'GET', ip, key: token, at });
    expect(remaining(await send(programs, { method: 'GET', ip, at }))).toBe(58);
  });
});

describe('the rate limit of the CLI, 429 rate_limited,', () => {
  it('refuses the 61st request of a minute, which starts no login, and accepts requests of the next minute', async () => {
    const ip = newIp();
    for (let n = 0; n < 60; n++) expect((await send(start, { ip })).status).toBe(200);
    expect(await send(start, { ip })).toEqual({
      status: 429,
      headers: { ...countedHeaders(60, 61), 'Retry-After': '60' },
      body: rateLimitedError(60),
    });
    for (const [handler, own] of everyRoute) expect((await send(handler, { ...own, ip })).status).toBe(429);
    expect((await send(start, { ip, at: new Date(NOW.getTime() + 60_000) })).status).toBe(200);
  });

  it('refuses one login token but not another one, and not requests without a token, from the same IP address', async () => {
    const [{ token }, other, ip] = [await signedInAs(world), await signedInAs(world), newIp()];
    for (let n = 0; n < 60; n++) await send(programs, { method: 'GET', key: token, ip });
    expect((await send(programs, { method: 'GET', key: token, ip })).body).toEqual(rateLimitedError(60));
    expect((await send(programs, { method: 'GET', key: other.token, ip })).status).toBe(200);
    expect((await send(start, { ip })).status).toBe(200);
  });
});

it('requests to dashboard routes do not count towards the rate limit of the CLI', async () => {
  const ip = newIp();
  await send(start, { ip });
  const reply = await send(session, { ip });
  expect(reply).toEqual(refusedReply(400, 'Missing required fields: id_token'));
});

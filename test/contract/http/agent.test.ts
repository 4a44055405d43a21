import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { agent, type AgentCall, agentKeyOf } from '#test/support/callers/agent.ts';
import { authorized, badAuthorizations } from '#test/support/callers/bad-authorization.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { namedFailure, platformError, rateLimitedError, refusal } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { markedBrand } from '#test/support/programs/rotation.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// The order of the checks: 401, 403, 404, body.

const world = openedWorld();
let brand: Brand;
let foreign: Brand;
beforeAll(async () => {
  [brand, foreign] = [await world.brand(), await world.brand()];
});

const endpoints: readonly { call: AgentCall; scope: string; others: string[] }[] = [
  { call: 'list', scope: 'program:list', others: ['program:read', 'program:update'] },
  { call: 'read', scope: 'program:read', others: ['program:list', 'program:update'] },
  { call: 'update', scope: 'program:update', others: ['program:list', 'program:read'] },
  { call: 'readiness', scope: 'program:read', others: ['program:list', 'program:update'] },
];
const aboutProgram = endpoints.filter(({ call }) => call !== 'list');

const texts = {
  malformed: 'Missing or malformed Authorization header. Expected: Bearer <token>',
  empty: 'Missing API token',
  unknown: 'Invalid agent key',
};

describe.each(endpoints)('the agents’ call "$call"', ({ call, scope, others }) => {
  describe('answers 401', () => {
    it.each(badAuthorizations(texts))('for the authorization header $header: $message', async ({ header, message }) => {
      const reply = await agent(undefined)[call](brand.program.id, '{', { headers: authorized(header) });
      expect(reply).toEqual({ status: 401, headers: countedHeaders(60), body: platformError(401, message) });
    });

    it.each([
      ['a program key', () => brand.key],
      ['a login token', async () => (await ownerOfBrand(world, brand)).token],
      ['a program key marked for rotation, without a warning about it,', async () => (await markedBrand(world)).key],
    ])('for %s in place of an agent key', async (_, keyOf) => {
      const reply = await agent(await keyOf())[call](brand.program.id);
      expect(reply).toEqual({ status: 401, headers: countedHeaders(60), body: platformError(401, texts.unknown) });
    });

    it('for a revoked agent key', async () => {
      const key = await agentKeyOf(world, brand);
      await world.deps().table.transact([{ name: 'key', key: keys.credential(sha256(key)), remove: true }]);
      expect((await agent(key)[call](brand.program.id)).body).toEqual(platformError(401, texts.unknown));
    });
  });

  it(`answers 403 if the key lacks the scope ${scope}, before program and body are checked`, async () => {
    for (const scopes of [others, []]) {
      const key = await agentKeyOf(world, brand, scopes);
      for (const id of [brand.program.id, foreign.program.id, 'x']) {
        const reply = await agent(key)[call](id, '{');
        expect(reply).toMatchObject(refusal(403, `Missing required scope: ${scope}`));
      }
    }
  });

  it(`answers 200 if the key has the scope ${scope} and no other`, async () => {
    const key = await agentKeyOf(world, brand, [scope]);
    const { status, headers } = await agent(key)[call](brand.program.id);
    expect({ status, headers }).toEqual({ status: 200, headers: countedHeaders(60) });
  });

  it.each(['InternalServerError', 'TimeoutError'])('answers 500 with the request id because of %s', async (name) => {
    const key = await agentKeyOf(world, brand);
    const reply = await failing('read', refused(name), () => agent(key)[call](brand.program.id));
    expect(reply.status).toBe(500);
    expect(reply.headers).toEqual({ ...countedHeaders(60, 1), 'X-Request-ID': reply.headers['X-Request-ID'] });
    expect(reply.body).toEqual(namedFailure('Request failed', reply));
    expect((await agent(key)[call](brand.program.id)).status).toBe(200);
  });
});

describe.each(aboutProgram)('the agents’ call "$call" answers 404 “Program not found”', ({ call }) => {
  it.each([
    ['of another workspace', () => foreign.program.id],
    ['unknown', () => 999_999],
    ['0', () => 0],
    ['-1', () => -1],
    ['1.5', () => '1.5'],
    ['a word instead of an id', () => 'me'],
    ['empty', () => ''],
  ])('for the program id %s, before the body is checked', async (_, idOf) => {
    const key = await agentKeyOf(world, brand);
    const reply = await agent(key)[call](idOf(), '{');
    expect(reply).toEqual({
      status: 404,
      headers: countedHeaders(60),
      body: platformError(404, 'Program not found'),
    });
  });
});

describe('the rate limit of the agents’ endpoints, 429 rate_limited,', () => {
  it('is 60 requests a minute per key, over all endpoints', async () => {
    const key = await agentKeyOf(world, brand);
    for (let n = 0; n < 15; n++) for (const { call } of endpoints) await agent(key)[call](brand.program.id, {});
    for (const { call } of endpoints.slice(0, 1)) {
      expect(await agent(key)[call](brand.program.id)).toEqual({
        status: 429,
        headers: { ...countedHeaders(60, 61), 'Retry-After': '60' },
        body: rateLimitedError(60),
      });
    }
    const other = await agentKeyOf(world, brand);
    expect((await agent(other).list(0)).headers['X-RateLimit-Remaining']).toBe('59');
    expect((await agent(key).list(0, {}, { at: new Date(NOW.getTime() + 60_000) })).status).toBe(200);
  });

  it.each([
    ['no key', () => undefined],
    ['a program key', () => brand.key],
  ])('counts by IP address for requests with %s', async (_, keyOf) => {
    const ip = `198.51.100.${keyOf() ? 1 : 2}`;
    for (let n = 0; n < 60; n++) await agent(keyOf()).list(0, {}, { ip });
    expect(await agent(keyOf()).list(0, {}, { ip })).toMatchObject({ status: 429, body: rateLimitedError(60) });
    expect((await agent(await agentKeyOf(world, brand)).list(0, {}, { ip })).status).toBe(200);
  });
});

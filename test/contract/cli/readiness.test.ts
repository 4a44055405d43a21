import { describe, expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { agentKeyOf } from '#test/support/callers/agent.ts';
import { authorized, badAuthorizations } from '#test/support/callers/bad-authorization.ts';
import { failingNth } from '#test/support/table/each-call.ts';
import { rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askReadiness, importedKey } from '#test/support/programs/integration.ts';
import { DEADLINE, markedBrand, retirement, rotationHeaders, warnings } from '#test/support/programs/rotation.ts';
import { NOW } from '#test/support/callers/request.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Every error of readiness has the typed envelope.

const world = openedWorld();
const brand = opened(() => world.brand());

const invalidKey = (message: string) => ({ error: { code: 'invalid_key', message } });
const failure = {
  error: { code: 'internal_error', message: 'Failed to compute readiness. Retry shortly.', retry_after_seconds: 10 },
};

describe('the readiness check of the CLI is answered 401 invalid_key', () => {
  const texts = {
    malformed: 'Missing or malformed Authorization header. Expected: Bearer <token>.',
    empty: 'Missing API token.',
    unknown: 'Invalid API token.',
  };

  it.each(badAuthorizations(texts))('for the authorization header $header: $message', async ({ header, message }) => {
    expect(await askReadiness(undefined, { headers: authorized(header) })).toEqual({
      status: 401,
      headers: countedHeaders(30),
      body: invalidKey(message),
    });
  });

  it.each([
    ['a login token', async () => (await ownerOfBrand(world, brand)).token],
    ['an agent key', () => agentKeyOf(world, brand)],
    [
      'a key that was replaced',
      async () => {
        const own = await world.brand();
        await generateProgramKey(world.deps(), own.program.id);
        return own.key;
      },
    ],
  ])('with %s in place of a program key', async (_, keyOf) => {
    expect((await askReadiness(await keyOf())).body).toEqual(invalidKey('Invalid API token.'));
  });
});

describe('the readiness check of the CLI for a key marked for rotation', () => {
  it('is answered 200 with the rotation headers and with warnings', async () => {
    const marked = await markedBrand(world);
    const reply = await askReadiness(marked.key);
    expect(reply.headers).toEqual({ ...countedHeaders(30), ...rotationHeaders });
    expect(reply.body).toMatchObject({ program_id: marked.program.id, warnings });
  });

  it('is answered 429 and 500 also with the rotation headers and warnings', async () => {
    const { key } = await markedBrand(world);
    for (let n = 0; n < 30; n++) await askReadiness(key);
    expect(await askReadiness(key)).toEqual({
      status: 429,
      headers: { ...countedHeaders(30, 31), ...rotationHeaders, 'Retry-After': '60' },
      body: { ...rateLimitedError(60), warnings },
    });
    const at = new Date(NOW.getTime() + 60_000);
    // The fourth call comes after the key is verified.
    expect(await failingNth(4, () => askReadiness(key, { at }))).toEqual({
      status: 500,
      headers: { ...countedHeaders(30, 1, at), ...rotationHeaders },
      body: { ...failure, warnings },
    });
  });

  it('is answered 401 with the rotation headers, and without warnings, once the key is retired', async () => {
    const { key } = await markedBrand(world);
    expect(await askReadiness(key, { at: DEADLINE })).toEqual({
      status: 401,
      headers: { ...countedHeaders(30, 1, DEADLINE), ...rotationHeaders },
      body: retirement,
    });
  });
});

describe('the readiness check of the CLI is answered 429 rate_limited', () => {
  it('after 30 requests with one key in a minute of the clock, from any IP addresses', async () => {
    const { key } = await world.brand();
    for (let used = 1; used <= 30; used++) {
      expect(await askReadiness(key)).toMatchObject({ status: 200, headers: countedHeaders(30, used) });
    }
    expect(await askReadiness(key)).toEqual({
      status: 429,
      headers: { ...countedHeaders(30, 31), 'Retry-After': '60' },
      body: rateLimitedError(60),
    });
    expect((await askReadiness(key, { at: new Date(NOW.getTime() + 60_000) })).status).toBe(200);
  });

  it('after 30 requests without a key from one IP address', async () => {
    const ip = '192.0.2.77';
    for (let n = 0; n < 30; n++) await askReadiness(undefined, { ip });
    const refused = await askReadiness(undefined, { ip });
    expect(refused).toMatchObject({ status: 429, body: rateLimitedError(60) });
    expect((await askReadiness(brand.key, { ip })).status).toBe(200);
  });
});

describe('the readiness check of the CLI is answered 500 internal_error', () => {
  it.each(['structured', 'older'])(
    'if any call to the table fails, except the one that counts for the rate limit, with a key of the kind: %s',
    async (kind) => {
      const own = await world.brand();
      const key = kind === 'older' ? await importedKey(world, own) : own.key;
      const statuses: number[] = [];
      for (let n = 1; ; n++) {
        const reply = await failingNth(n, () => askReadiness(key));
        if (!reply) break;
        statuses.push(reply.status);
        if (reply.status === 200) continue;
        expect(reply).toEqual({ status: 500, headers: { ...reply.headers }, body: failure });
        expect(reply.headers).not.toHaveProperty('Retry-After');
        expect(reply.headers).toMatchObject({ 'X-Request-ID': expect.stringMatching(/^[0-9a-f]{32}$/) });
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.length).toBeGreaterThanOrEqual(8);
      expect((await askReadiness(key)).status).toBe(200);
    },
  );

  it('if the program of the key does not exist', async () => {
    const key = 'a-key-of-a-program-that-is-gone';
    await world.deps().table.put(keys.credential(sha256(key)), { class: 'programKey', programId: 999_999 });
    expect((await askReadiness(key)).body).toEqual(failure);
  });
});

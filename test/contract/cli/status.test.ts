import { describe, expect, it } from 'vitest';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { agentKeyOf } from '#test/support/callers/agent.ts';
import { authorized, badAuthorizations } from '#test/support/callers/bad-authorization.ts';
import { failingNth } from '#test/support/table/each-call.ts';
import { namedFailure, platformError, rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askStatus, sendTestEvent } from '#test/support/programs/integration.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import { DEADLINE, markedBrand, retirement, rotationHeaders, warnings } from '#test/support/programs/rotation.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Errors and request ids of the two CLI routes with a program key. They differ in the request id: status sends it only
// with a 500.

const world = openedWorld();
const brand = opened(() => world.brand());

type Ask = (key: string | undefined, options?: Pick<TestRequest, 'headers' | 'at' | 'ip'>) => Promise<TestReply>;

const askTestEvent: Ask = (key, options) => sendTestEvent(key, { event_type: 'click' }, options);

const endpoints: readonly { name: string; ask: Ask; failure: string; namesRequest: boolean }[] = [
  { name: 'status', ask: askStatus, failure: 'Failed to get status', namesRequest: false },
  { name: 'test-event', ask: askTestEvent, failure: 'Failed to process test event', namesRequest: true },
];

const unknownKey =
  'Invalid API key. Ask a workspace owner to regenerate it in Settings → API Key, then replace the key you are sending.';
const texts = {
  malformed: 'Missing or malformed Authorization header. Expected: Bearer <token>',
  empty: 'Missing API token',
  unknown: unknownKey,
};

describe.each(endpoints)('a request to the CLI endpoint $name', ({ ask, failure, namesRequest }) => {
  /** Headers of any reply but a 500. */
  const headers = (used = 1, at?: Date) => {
    const { 'X-Request-ID': requestId, ...others } = countedHeaders(60, used, at);
    return namesRequest ? { 'X-Request-ID': requestId, ...others } : others;
  };

  it('is answered 200 with exactly the expected body', async () => {
    expect(await ask((await world.brand()).key)).toMatchObject({ status: 200, headers: headers() });
    expect(Object.keys((await ask(brand.key)).headers).includes('X-Request-ID')).toBe(namesRequest);
  });

  describe('is answered 401', () => {
    it.each(badAuthorizations(texts))('for the authorization header $header: $message', async ({ header, message }) => {
      expect(await ask(undefined, { headers: authorized(header) })).toEqual({
        status: 401,
        headers: headers(),
        body: platformError(401, message),
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
      expect((await ask(await keyOf())).body).toEqual(platformError(401, unknownKey));
    });

    it('if the key is retired, with the rotation headers and without warnings', async () => {
      const { key } = await markedBrand(world);
      expect(await ask(key, { at: DEADLINE })).toEqual({
        status: 401,
        headers: { ...headers(1, DEADLINE), ...rotationHeaders },
        body: retirement,
      });
    });
  });

  it('is answered 200 for a key marked for rotation, with the rotation headers, and with warnings next to data', async () => {
    const { key } = await markedBrand(world);
    const reply = await ask(key);
    expect(reply).toEqual({
      status: 200,
      headers: { ...headers(), ...rotationHeaders },
      body: { data: reply.body.data, warnings },
    });
  });

  it('is answered 429 after 60 requests with one key, with warnings if the key is marked for rotation', async () => {
    const { key } = await markedBrand(world);
    for (let n = 0; n < 60; n++) await ask(key);
    expect(await ask(key)).toEqual({
      status: 429,
      headers: { ...headers(61), ...rotationHeaders, 'Retry-After': '60' },
      body: { ...rateLimitedError(60), warnings },
    });
    expect((await ask(key, { at: new Date(NOW.getTime() + 60_000) })).status).toBe(200);
  });

  it('is answered 500, with the request id in header, message and details, if any call except that for the rate limit fails', async () => {
    const { key } = await markedBrand(world);
    const statuses: number[] = [];
    for (let n = 1; ; n++) {
      const reply = await failingNth(n, () => ask(key));
      if (!reply) break;
      statuses.push(reply.status);
      if (reply.status === 200) continue;
      expect(reply.headers).toMatchObject({ 'X-Request-ID': expect.stringMatching(/^[0-9a-f]{32}$/) });
      expect(reply.headers).not.toHaveProperty('Retry-After');
      // The reply shows the key's mark, unless the lookup of the key has failed.
      const isMarked = 'Deprecation' in reply.headers;
      expect(reply.body).toEqual({ ...namedFailure(failure, reply), ...(isMarked && { warnings }) });
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 500).length).toBeGreaterThanOrEqual(2);
    expect((await ask(key)).status).toBe(200);
  });
});

it('the CLI endpoints status and test-event share one rate limit per key', async () => {
  const { key } = await world.brand();
  await askStatus(key);
  expect((await askTestEvent(key)).headers['X-RateLimit-Remaining']).toBe('58');
});

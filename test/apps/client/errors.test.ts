import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  KeyRotationRequiredError,
  NetworkError,
  RateLimitError,
  ReferralClient,
  ReferralError,
  ServerError,
  ValidationError,
} from '#lib/apps/client/referral-client.ts';
import { secondsOf } from '#lib/apps/client/errors/error-of-reply.ts';
import { openedScriptedServer, refusal, type ScriptedServer } from '#test/support/servers/scripted-server.ts';

const apiKey = 'aff_1_mostSecretOfAllKeys';
const requestId = 'f'.repeat(32);
const server = openedScriptedServer();
let client: ReferralClient;

beforeAll(() => {
  client = new ReferralClient({ apiKey, baseUrl: server.url });
});

/** Clicks are never retried, so one reply is one error. */
async function errorAfter(reply: Parameters<ScriptedServer['answer']>[0]): Promise<ReferralError> {
  server.answer(reply);
  const error: unknown = await client
    .trackClick({ affiliateUrl: 'https://acme.test/?aff=ana' })
    .catch((thrown) => thrown);
  expect(server.requests).toHaveLength(1);
  expect(error).toBeInstanceOf(ReferralError);
  return error as ReferralError;
}

describe('the client’s error for a refusal { error: { message } } of the service', () => {
  it.each([
    [400, ValidationError],
    [401, AuthenticationError],
    [403, ValidationError],
    [404, ValidationError],
    [410, ValidationError],
    [422, ValidationError],
    [500, ServerError],
    [503, ServerError],
  ])('has the error class for the status %i', async (status, kind) => {
    const error = await errorAfter(refusal(status, 'No such thing', { code: 'a_code', details: { sale_id: 1 } }));
    expect(error.constructor).toBe(kind);
    expect(error).toMatchObject({
      name: kind.name,
      message: 'No such thing',
      status,
      code: 'a_code',
      details: { sale_id: 1 },
      requestId,
    });
  });

  it('has the code in the reply’s details', async () => {
    const error = await errorAfter(refusal(403, 'Suspended', { details: { code: 'ACCOUNT_BLOCKED' } }));
    expect(error.code).toBe('ACCOUNT_BLOCKED');
  });

  it('is a ReferralError if no class belongs to its status', async () => {
    const error = await errorAfter(refusal(409, 'In conflict'));
    expect(error.constructor).toBe(ReferralError);
    expect(error).toMatchObject({ status: 409, code: undefined });
  });
});

describe('the message of an error of the client', () => {
  it('names the client’s fields, and in brackets the names in the request', async () => {
    const error = await errorAfter(refusal(400, 'transaction_id is required and must be a string'));
    expect(error).toMatchObject({
      message: 'invoiceId (transaction_id) is required and must be a string',
      reason: 'transaction_id_invalid',
    });
  });
});

describe('the client’s error for a refusal { error: { code, message } } of the service', () => {
  it('says how to replace a retired key', async () => {
    const error = await errorAfter({
      status: 401,
      body: {
        error: {
          code: 'api_key_rotation_required',
          message: 'This API key was retired on 2026-11-20.',
          hint: 'A workspace owner must create a new key.',
          docs_url: 'https://docs.test/errors',
        },
      },
    });
    expect(error).toBeInstanceOf(KeyRotationRequiredError);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({
      message: 'This API key was retired on 2026-11-20.',
      hint: 'A workspace owner must create a new key.',
      docsUrl: 'https://docs.test/errors',
    });
  });

  it.each([
    ['the header', { 'Retry-After': '61' }, undefined, 61],
    ['the body', {}, 300, 300],
    ['the header rather than the body', { 'Retry-After': '61' }, 300, 61],
  ])('says when the rate limit ends, read from %s', async (_, headers, retry_after_seconds, retryAfterSeconds) => {
    const error = { code: 'rate_limited', message: 'Too many requests.', retry_after_seconds };
    const thrown = await errorAfter({ status: 429, headers, body: { error } });
    expect(thrown).toBeInstanceOf(RateLimitError);
    expect(thrown).toMatchObject({ code: 'rate_limited', message: 'Too many requests.', retryAfterSeconds });
  });
});

describe('a reply to the client that does not come from the service', () => {
  it.each([
    [{ status: 502, body: '<html>Bad gateway</html>' }, ServerError, 'The service answered 502 without saying why.'],
    [{ status: 404, body: { message: 'Not Found' } }, ValidationError, 'Not Found'],
    [{ status: 400, body: { error: 'wrong' } }, ValidationError, 'The service answered 400 without saying why.'],
  ])('causes an error: %j', async (reply, kind, message) => {
    const error = await errorAfter(reply);
    expect(error.constructor).toBe(kind);
    expect(error.message).toBe(message);
  });

  it.each(['<html>Welcome</html>', '[]', 'null', ''])(
    'causes an error even if the status is 200 and the body %j',
    async (body) => {
      const error = await errorAfter({ status: 200, body });
      expect(error.constructor).toBe(ReferralError);
      expect(error.message).toBe(
        `${server.url}/api/v1/track/click answered 200 without a JSON object. Is this the service's address?`,
      );
    },
  );

  it('causes an error if it is a redirect, which is not followed because the POST would lose its body', async () => {
    const error = await errorAfter({ status: 301, headers: { Location: 'https://new.test/' } });
    expect(error.message).toBe(`${server.url} redirects to https://new.test/. Use the service's own address.`);
  });
});

describe('a request of the client that gets no reply', () => {
  it('fails if the connection is lost', async () => {
    const error = await errorAfter('drop');
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: undefined, code: 'network_error', cause: expect.any(TypeError) });
    expect(error.message).toBe(`Cannot reach ${server.url}: other side closed`);
  });

  it('fails after the timeout of one attempt', async () => {
    server.answer('hang');
    const hasty = new ReferralClient({ apiKey, baseUrl: server.url, timeoutMs: 20 });
    const error = await hasty.trackClick({ affiliateUrl: 'https://acme.test/' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      message: `Cannot reach ${server.url}: no reply within 20 ms`,
      cause: expect.objectContaining({ name: 'TimeoutError' }),
    });
  });

  it('fails after the total timeout for all attempts', { tags: ['deep'] }, async () => {
    server.answer(refusal(500, 'Sale tracking failed'), 'hang');
    const hasty = new ReferralClient({ apiKey, baseUrl: server.url, timeoutMs: 1_500 });
    const error = await hasty.trackRefund({ invoiceId: 'in_1' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ message: `Cannot reach ${server.url}: no reply within 1500 ms` });
    expect(server.requests).toHaveLength(2);
  });

  it('fails if no server listens at the URL', async () => {
    const nobody = new ReferralClient({ apiKey, baseUrl: 'http://127.0.0.1:1', fetch: (...call) => fetch(...call) });
    await expect(nobody.trackClick({ affiliateUrl: 'https://acme.test/' })).rejects.toThrow(
      'Cannot reach http://127.0.0.1:1: bad port',
    );
  });
});

describe('the program key of a client', () => {
  it('is neither in an error nor in the printed client', async () => {
    const errors = [await errorAfter('drop'), await errorAfter(refusal(401, 'Invalid API token'))];
    for (const shown of [client, ...errors]) {
      expect(inspect(shown, { depth: 9, showHidden: true })).not.toContain('mostSecret');
      expect(JSON.stringify(shown)).not.toContain('mostSecret');
    }
  });
});

describe('the constructor of ReferralClient', () => {
  const baseUrl = 'https://referrals.test';
  const key = 'apiKey must be the program key: visible characters, without spaces, quotes or line breaks around it';
  const missing =
    "apiKey is missing. Set the environment variable SERVICE_API_KEY to the program key, which a workspace owner generates in the program's settings, and pass it: apiKey: process.env.SERVICE_API_KEY";
  const address = 'baseUrl must be an http or https address without user, query and fragment';
  const time = 'timeoutMs must be a whole number of milliseconds from 1 to 2147483647';

  it.each([
    [undefined, missing],
    [{ baseUrl }, missing],
    [{ apiKey: undefined, baseUrl }, missing],
    [{ apiKey: '', baseUrl }, missing],
    [{ apiKey: `${apiKey}\n`, baseUrl }, key],
    [{ apiKey: 7, baseUrl }, key],
    [{ apiKey }, address],
    [{ apiKey, baseUrl: 'referrals.test' }, address],
    [{ apiKey, baseUrl: 'ftp://referrals.test' }, address],
    [{ apiKey, baseUrl: 'https://user:password@referrals.test' }, address],
    [{ apiKey, baseUrl: 'https://referrals.test/?a=b' }, address],
    [{ apiKey, baseUrl, fetch: 'fetch' }, 'fetch must be a function'],
    [{ apiKey, baseUrl, timeoutMs: 0 }, time],
    [{ apiKey, baseUrl, timeoutMs: 1.5 }, time],
    [{ apiKey, baseUrl, timeoutMs: 2 ** 31 }, time],
    [{ apiKey, baseUrl, timeoutMs: '10' }, time],
  ])('throws an error for the options %j', (options, message) => {
    // Values that an untyped program may pass.
    const create = () => new ReferralClient(options as never);
    expect(create).toThrow(new TypeError(message));
  });
});

describe('secondsOf, which reads the header Retry-After,', () => {
  const now = Date.parse('2026-11-20T15:00:00Z');

  it.each([
    [null, undefined],
    ['', undefined],
    ['0', 0],
    ['60', 60],
    ['soon', undefined],
    ['Fri, 20 Nov 2026 15:00:30 GMT', 30],
    ['Fri, 20 Nov 2026 14:59:00 GMT', 0],
  ])('reads %j as %j seconds', (header, seconds) => {
    expect(secondsOf(header, now)).toBe(seconds);
  });
});

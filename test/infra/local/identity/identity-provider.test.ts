import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as session } from '#functions/dashboard/session/post.ts';
import { handler as notFound } from '#functions/not-found.ts';
import { identityProviderRoutes } from '#infra/local/identity/identity-provider.ts';
import { listen, type Server } from '#infra/local/gateway/server.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openWorld } from '#test/support/programs/world.ts';

let server: Server;
let address: string;
let now = NOW;

beforeAll(async () => {
  server = await listen(0);
  address = `http://127.0.0.1:${server.port}`;
  await openWorld();
  Object.assign(process.env, {
    BASE_URL: address,
    DASHBOARD_URL: 'https://dashboard.test',
    OIDC_ISSUER: `${address}/local/oidc`,
    OIDC_AUDIENCE: 'service-dashboard',
    OIDC_JWKS_URL: `${address}/local/oidc/jwks.json`,
  });
  server.serve({ routes: identityProviderRoutes(), fallback: notFound, now: () => now.getTime() });
});
afterAll(() => server.stop());

async function ask(path: string, request: RequestInit = {}) {
  const response = await fetch(`${address}/local/oidc${path}`, { redirect: 'manual', ...request });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

const askToken = (body: unknown) => ask('/token', { method: 'POST', body: JSON.stringify(body) });
const askForm = (path: string, fields: Record<string, string>) =>
  ask(path, { method: 'POST', body: new URLSearchParams(fields) });
const signInWith = (idToken: string, at: Date = NOW) => send(session, { body: { id_token: idToken }, at });

it('the local identity provider publishes its endpoints and features', async () => {
  const { status, body } = await ask('/.well-known/openid-configuration');
  expect({ status, body }).toEqual({
    status: 200,
    body: expect.objectContaining({
      issuer: `${address}/local/oidc`,
      authorization_endpoint: `${address}/local/oidc/authorize`,
      token_endpoint: `${address}/local/oidc/token`,
      jwks_uri: `${address}/local/oidc/jwks.json`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    }),
  });
});

it('the local identity provider publishes the public part of one key', async () => {
  const { status, body } = await ask('/jwks.json');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      keys: [{ kty: 'RSA', n: expect.any(String), e: 'AQAB', kid: expect.any(String), alg: 'RS256', use: 'sig' }],
    },
  });
});

describe('a token that the local identity provider issues for an e-mail address', () => {
  it('is a signed id_token that is valid for ten minutes by the service clock', async () => {
    const { status, body, headers } = await askToken({ email: ' Jane@People.TEST ', name: ' Jane Doe ' });
    expect({ status, body }).toEqual({ status: 200, body: { id_token: expect.any(String) } });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    const { keys } = (await ask('/jwks.json')).body;
    expect(decodeProtectedHeader(body.id_token)).toEqual({ alg: 'RS256', kid: keys[0].kid, typ: 'JWT' });
    expect(decodeJwt(body.id_token)).toEqual({
      iss: `${address}/local/oidc`,
      aud: 'service-dashboard',
      sub: 'jane@people.test',
      email: 'jane@people.test',
      email_verified: true,
      name: 'Jane Doe',
      auth_time: NOW.getTime() / 1000,
      iat: NOW.getTime() / 1000,
      exp: NOW.getTime() / 1000 + 600,
      jti: expect.any(String),
    });
  });

  it('is accepted by POST /session, like a token of any other identity provider', async () => {
    const first = await signInWith((await askToken({ email: 'first@people.test' })).body.id_token);
    expect(first).toMatchObject({
      status: 200,
      body: { data: { account: { email: 'first@people.test', name: 'first' } } },
    });
    const named = await signInWith((await askToken({ email: 'first@people.test', name: 'First' })).body.id_token);
    expect(named.body.data.account).toEqual({ ...first.body.data.account, name: 'First' });
  });

  it('is issued at and valid from the time of the service’s clock', async () => {
    now = new Date('2031-05-05T05:05:05.500Z');
    const { id_token: idToken } = (await askToken({ email: 'later@people.test' })).body;
    now = NOW;
    expect((await signInWith(idToken, new Date('2031-05-05T05:15:04.000Z'))).status).toBe(200);
    expect((await signInWith(idToken, new Date('2031-05-05T05:16:05.000Z'))).status).toBe(401);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/json'])(
    'is issued for a JSON body, also if the content type is %s',
    async (type) => {
      const request = { method: 'POST', headers: { 'content-type': type }, body: ' {"email":"a@b.test"}' };
      expect((await ask('/token', request)).body).toEqual({ id_token: expect.any(String) });
    },
  );

  it.each([
    {},
    { email: '' },
    { email: 'jane' },
    { email: 7 },
    { email: null },
    { email: 'a@b' },
    { email: 'a b@c.d' },
  ])('is refused for the body %j', async (body) => {
    const reply = await askToken(body);
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 400,
      body: platformError(400, 'email must be a valid e-mail address'),
    });
  });

  it('is refused for invalid JSON', async () => {
    const reply = await ask('/token', { method: 'POST', body: '[' });
    expect(reply.body).toEqual(platformError(400, 'Invalid JSON body'));
  });
});

const verifier = 'a-verifier-of-at-least-forty-three-characters-0';
const request = () => ({
  response_type: 'code',
  client_id: 'service-dashboard',
  redirect_uri: `${address}/signed-in?from=here`,
  state: 'a state & more',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
});
const authorize = (changes: Record<string, string> = {}) =>
  ask(`/authorize?${new URLSearchParams({ ...request(), ...changes }).toString()}`);

describe('the sign-in page of the local identity provider', () => {
  it('is a form without scripts, which other pages cannot show in a frame', async () => {
    const { status, headers, text } = await authorize();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-\S{44}'; form-action 'self' http:\S+; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(text).toContain('<form method="post" action="/local/oidc/authorize">');
    expect(text).toContain('<input type="hidden" name="state" value="a state &amp; more">');
  });

  it('has a style sheet whose hash its content security policy contains', async () => {
    const { headers, text } = await authorize();
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
  });

  it('escapes the texts in the request', async () => {
    const { text } = await authorize({ state: `"><script>alert('x')</script>&amp;` });
    expect(text).not.toContain('<script');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;"');
  });

  it.each(['https://dashboard.test/callback', 'same origin'])('can redirect to the URL %s', async (uri) => {
    const own = uri === 'same origin' ? `${address}/` : uri;
    expect((await authorize({ redirect_uri: own })).status).toBe(200);
  });

  it.each([
    ['response_type', 'token', 'response_type must be code'],
    ['response_type', '', 'response_type must be code'],
    ['client_id', 'other', 'Unknown client_id'],
    ['redirect_uri', '', 'redirect_uri must be a URL of this service'],
    ['redirect_uri', '/signed-in', 'redirect_uri must be a URL of this service'],
    ['redirect_uri', 'https://other.test/', 'redirect_uri must be a URL of this service'],
    ['redirect_uri', 'https://dashboard.test.other.test/', 'redirect_uri must be a URL of this service'],
    ['redirect_uri', 'https://dashboard.test@other.test/', 'redirect_uri must be a URL of this service'],
    ['redirect_uri', 'http://127.0.0.1:1/', 'redirect_uri must be a URL of this service'],
    ['redirect_uri', 'javascript:alert(1)', 'redirect_uri must be a URL of this service'],
    ['code_challenge', '', 'code_challenge must be of method S256'],
    ['code_challenge', 'short', 'code_challenge must be of method S256'],
    ['code_challenge_method', 'plain', 'code_challenge must be of method S256'],
  ])(
    'is refused for the parameter %s=%s, and so is the form that the page would send',
    async (field, value, message) => {
      const page = await authorize({ [field]: value });
      expect({ status: page.status, body: page.body }).toEqual({ status: 400, body: platformError(400, message) });
      const form = await askForm('/authorize', { ...request(), email: 'jane@people.test', [field]: value });
      expect({ status: form.status, body: form.body }).toEqual({ status: 400, body: platformError(400, message) });
    },
  );

  it('refuses a form without an e-mail address', async () => {
    const { body } = await askForm('/authorize', { ...request(), email: 'jane' });
    expect(body).toEqual(platformError(400, 'email must be a valid e-mail address'));
  });
});

/** Signs in on the page. @returns the fields that the client sends next */
async function granted(person: Record<string, string> = {}) {
  const form = await askForm('/authorize', { ...request(), email: 'jane@people.test', ...person });
  const location = new URL(form.headers.get('location')!);
  expect(form.status).toBe(302);
  expect(location.searchParams.get('state')).toBe('a state & more');
  expect(location.searchParams.get('from')).toBe('here');
  return {
    grant_type: 'authorization_code',
    code: location.searchParams.get('code')!,
    redirect_uri: request().redirect_uri,
    client_id: 'service-dashboard',
    code_verifier: verifier,
  };
}

describe('the authorization code that the sign-in page returns', () => {
  const invalid = platformError(400, 'Invalid or expired code');

  it('can be exchanged once for a token of the person who signed in', async () => {
    const form = await granted({ email: 'Page@People.test', name: 'From the page' });
    const { status, body } = await askForm('/token', form);
    expect({ status, body }).toEqual({ status: 200, body: { id_token: expect.any(String) } });
    expect((await signInWith(body.id_token)).body.data.account).toMatchObject({
      email: 'page@people.test',
      name: 'From the page',
    });
    expect((await askForm('/token', form)).body).toEqual(invalid);
  });

  it.each([
    ['code', 'another'],
    ['code_verifier', 'another-verifier-of-forty-three-characters-000'],
    ['code_verifier', ''],
    ['redirect_uri', 'https://dashboard.test/'],
    ['client_id', 'other'],
  ])('is refused if the exchange has another %s: %j', async (field, value) => {
    const form = await granted();
    expect((await askForm('/token', { ...form, [field]: value })).body).toEqual(invalid);
  });

  it('cannot be used again after a failed exchange', async () => {
    const form = await granted();
    await askForm('/token', { ...form, code_verifier: 'guessed' });
    expect((await askForm('/token', form)).body).toEqual(invalid);
  });

  it('is valid for one minute', async () => {
    const [inTime, late] = [await granted(), await granted()];
    now = new Date(NOW.getTime() + 59_999);
    expect((await askForm('/token', inTime)).status).toBe(200);
    now = new Date(NOW.getTime() + 60_000);
    expect((await askForm('/token', late)).body).toEqual(invalid);
    now = NOW;
  });

  it.each<Record<string, string>>([{}, { email: 'jane@people.test' }, { grant_type: 'password' }])(
    'is refused if the exchange is a form with %j',
    async (form) => {
      expect((await askForm('/token', form)).body).toEqual(platformError(400, 'grant_type must be authorization_code'));
    },
  );
});

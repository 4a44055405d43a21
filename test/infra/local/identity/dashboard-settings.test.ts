import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { configFrom } from '#lib/service/ground/config/config.ts';
import { dashboardSettings } from '#infra/local/identity/dashboard-settings.ts';

const configWith = (issuer: string) =>
  configFrom({
    TABLE_NAME: 'table',
    BASE_URL: 'http://127.0.0.1:8787',
    DASHBOARD_URL: 'http://127.0.0.1:8787',
    DOCS_URL: 'http://127.0.0.1:8787/docs/errors',
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: 'dashboard',
    OIDC_JWKS_URL: `${issuer}/keys`,
  });

let answer: { status: number; body: string };
let asked: string[];
const server = createServer((request, response) => {
  asked.push(request.url!);
  response.writeHead(answer.status).end(answer.body);
});
let issuer: string;

beforeEach(async () => {
  asked = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pool`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  server.close();
  await once(server, 'close');
});

it('the dashboard gets paths instead of URLs for the local identity provider, so that it works under any host name', async () => {
  expect(await dashboardSettings(configWith('http://127.0.0.1:8787/local/oidc'), null)).toEqual({
    base_url: 'http://127.0.0.1:8787',
    product_name: 'Referrals',
    issuer: 'http://127.0.0.1:8787/local/oidc',
    client_id: 'dashboard',
    authorization_endpoint: '/local/oidc/authorize',
    token_endpoint: '/local/oidc/token',
    logout_endpoint: null,
    stripe_connect: false,
    currencies: ['USD', 'EUR', 'VND'],
    sign_in_hint: 'This is a local run: any e-mail address will do.',
  });
});

it('the endpoints of another identity provider are read from its discovery document', async () => {
  const discovery = {
    authorization_endpoint: `${issuer}/a`,
    token_endpoint: `${issuer}/t`,
    end_session_endpoint: `${issuer}/e`,
  };
  answer = { status: 200, body: JSON.stringify(discovery) };
  expect(await dashboardSettings(configWith(issuer), null)).toEqual({
    base_url: 'http://127.0.0.1:8787',
    product_name: 'Referrals',
    issuer,
    client_id: 'dashboard',
    authorization_endpoint: `${issuer}/a`,
    token_endpoint: `${issuer}/t`,
    logout_endpoint: `${issuer}/e`,
    stripe_connect: false,
    currencies: ['USD', 'EUR', 'VND'],
    sign_in_hint: null,
  });
  expect(asked).toEqual(['/pool/.well-known/openid-configuration']);
});

it.each([
  { status: 404, body: '{}' },
  { status: 200, body: '<html>' },
])(
  'the dashboard has no endpoints, and a warning is printed, if the identity provider answers its discovery with %j',
  async (reply) => {
    answer = reply;
    const said = vi.spyOn(console, 'error').mockReturnValue();
    expect(await dashboardSettings(configWith(issuer), null)).toMatchObject({
      authorization_endpoint: null,
      token_endpoint: null,
      logout_endpoint: null,
    });
    expect(said.mock.lastCall?.[0]).toMatch(
      /^Nobody can sign in to the dashboard: http:\S+openid-configuration cannot be read \(.+\)\. Is OIDC_ISSUER right\?$/,
    );
  },
);

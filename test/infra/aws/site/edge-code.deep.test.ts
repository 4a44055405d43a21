import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { showExport, showPage, addViewerAddress } from '#infra/aws/site/edge-code.ts';
import { builtSite } from '#infra/build/site.ts';
import { handler as notFoundHandler } from '#functions/not-found.ts';
import { propertiesOf, templateWith } from '#test/infra/aws/synthesized.ts';
import { send } from '#test/support/callers/request.ts';
import { openWorld } from '#test/support/programs/world.ts';

interface EdgeRequest {
  readonly uri: string;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
}

interface EdgeReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
  readonly body: string;
}

const VIEWER = '203.0.113.7';

/** Runs code as the edge does: alone, with only the language's built-ins. */
const run = (code: string, request: EdgeRequest): EdgeRequest & EdgeReply =>
  JSON.parse(
    runInNewContext(`${code}; JSON.stringify(handler(event))`, {
      event: { version: '1.0', viewer: { ip: VIEWER }, request: structuredClone(request) },
    }),
  );

const shown = (uri: string) => run(showPage, { uri, headers: {} });

it('the CloudFront functions in the template are exactly those that the next tests run', () => {
  const deployed = propertiesOf(templateWith(), 'AWS::CloudFront::Function').map(({ FunctionCode, FunctionConfig }) => {
    expect(FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
    return FunctionCode;
  });
  expect(new Set(deployed)).toEqual(new Set([showExport, showPage, addViewerAddress]));
  // CloudFront limits the size of its functions.
  for (const code of deployed) expect(code.length).toBeLessThan(10 * 1024);
});

describe('the client’s IP address that CloudFront passes to the functions', () => {
  const sent = { uri: '/api/v1/track/click', headers: { 'user-agent': { value: 'test' } } };

  it('is sent in the header referral-viewer-address', () => {
    expect(run(addViewerAddress, sent)).toEqual({
      ...sent,
      headers: { ...sent.headers, 'referral-viewer-address': { value: VIEWER } },
    });
  });

  it('cannot be forged, because headers of that name from the client are replaced', () => {
    const headers = {
      'referral-viewer-address': { value: '198.51.100.1' },
      'referral-viewer-place': { value: 'Rome' },
    };
    const claimed = { uri: '/', headers };
    expect(run(addViewerAddress, claimed).headers).toEqual({ 'referral-viewer-address': { value: VIEWER } });
  });
});

const asked = (uri: string) => run(showExport, { uri, headers: {} });

describe('an exported file requested from CloudFront', () => {
  const secret = 'x'.repeat(43);
  const seconds = Math.floor(Date.now() / 1000);

  it('is served until the time in its file name', () => {
    const uri = `/exports/${seconds + 3600}-${secret}.csv`;
    expect(asked(uri)).toEqual({ uri, headers: {} });
  });

  it.each([
    `/exports/${seconds - 3600}-${secret}.csv`,
    `/exports/${seconds + 3600}-${secret}.json`,
    `/exports/${seconds + 3600}-short.csv`,
    `/exports/${secret}.csv`,
    `/exports/../work/${secret}.json`,
    '/exports/',
  ])('is not found for the path %s', (uri) => expect(asked(uri).statusCode).toBe(404));
});

const objectOf = (path: string) => (/^[/](partner|join)\b/.test(path) ? '/partner.html' : '/index.html');
const isFile = (path: string) => path.includes('.');

describe('a page requested from CloudFront', () => {
  it.each([
    '/',
    '/signed-in',
    '/cli/login',
    '/members',
    '/programs/new',
    '/programs/12',
    '/programs/12/setup',
    '/programs/12/sale',
    '/programs/12/settings',
    '/programs/12/settings/terms',
  ])('at %s is the dashboard', (uri) => {
    expect(shown(uri)).toEqual({ uri: '/index.html', headers: {} });
  });

  it.each([
    '/partner',
    '/partner/settings',
    '/partner/programs/12',
    '/partner/programs/12/commissions/7',
    '/join/12',
    '/join/12/acme-pro',
  ])('at %s is the partner portal', (uri) => {
    expect(shown(uri)).toEqual({ uri: '/partner.html', headers: {} });
  });

  it('exists at the same paths as in a local run', async () => {
    const site = (await builtSite(new Date())).files(
      {
        base_url: '',
        product_name: 'Referrals',
        issuer: '',
        client_id: '',
        authorization_endpoint: null,
        token_endpoint: null,
        logout_endpoint: null,
        stripe_connect: false,
        currencies: ['USD'],
        sign_in_hint: null,
      },
      'security@acme.test',
    );
    const paths = site.filter(({ path }) => !path.startsWith('/docs/')).map(({ path }) => path.replace('{id}', '7'));
    expect(paths.map((path) => shown(path).uri)).toEqual(paths.map((path) => (isFile(path) ? path : objectOf(path))));
  });
});

it.each([
  '/config.json',
  '/icon.svg',
  '/assets/main-ABC.js',
  '/assets/dashboard-ABC.css',
  '/openapi.json',
  '/openapi-examples.json',
  '/.well-known/security.txt',
])('CloudFront serves %s as a file', (uri) => expect(shown(uri).uri).toBe(uri));

it.each([
  ['/nothing', '/index.html'],
  ['/programs/12/nothing', '/index.html'],
  ['/members/', '/index.html'],
  ['/partners', '/index.html'],
  ['/partner/nothing', '/partner.html'],
  ['/join/', '/partner.html'],
])(
  'CloudFront answers a browser that requests %s with the application’s page, which shows “not found”',
  (uri, object) => {
    const headers = { accept: { value: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
    expect(run(showPage, { uri, headers })).toEqual({ uri: object, headers });
    expect(run(showPage, { uri: '/missing.js', headers })).toEqual({ uri: '/missing.js', headers });
  },
);

describe('any other path requested from CloudFront', () => {
  it.each([
    '/nothing',
    '/programs',
    '/programs/12/nothing',
    '/programs//settings',
    '/api',
    '//',
    '/members/',
    '/partner/nothing',
    '/join',
    '/a.b/c',
  ])('such as %s answers 404 like the service', async (uri) => {
    await openWorld();
    const service = await send(notFoundHandler, { path: uri });
    const { statusCode, headers, body } = shown(uri);
    expect(statusCode).toBe(404);
    expect(JSON.parse(body)).toEqual(service.body);
    expect(headers).toEqual({
      'content-type': { value: service.headers['Content-Type'] },
      'cache-control': { value: service.headers['Cache-Control'] },
    });
  });
});

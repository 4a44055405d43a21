import { match, ok } from 'node:assert/strict';
import { type Check, check, hasHeader, hasStatus } from '#test/smoke/check.ts';

/** Checks of the files that browsers load. */
export const siteChecks: readonly Check[] = [
  ...[
    { path: '/js/tracker.js', content: /serviceQueue/ },
    { path: '/js/payment-links.js', content: /client_reference_id/ },
  ].map(({ path, content }) =>
    check(`${path} may be loaded by every page and kept for a while`, async (wire) => {
      const script = await wire('GET', path, { headers: { Origin: 'https://brand.test' } });
      hasStatus(script, 200);
      hasHeader(script, 'Content-Type', 'text/javascript; charset=utf-8');
      hasHeader(script, 'Access-Control-Allow-Origin', '*');
      hasHeader(script, 'Cache-Control', /^public, max-age=[1-9]/);
      match(script.text, content);
    }),
  ),
  ...['/', '/signed-in', '/programs/1/settings', '/partner', '/partner/programs/1', '/join/1/acme-pro'].map((path) =>
    check(`an application is at ${path}, closed to other origins`, async (wire) => {
      const page = await wire('GET', path);
      hasStatus(page, 200);
      hasHeader(page, 'Content-Type', 'text/html; charset=utf-8');
      hasHeader(page, 'Cache-Control', 'no-cache');
      hasHeader(page, 'Content-Security-Policy', /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'/);
      hasHeader(page, 'X-Content-Type-Options', 'nosniff');
      hasHeader(page, 'Referrer-Policy', 'no-referrer');
    }),
  ),
  ...['/', '/partner'].map((path) =>
    check(`what ${path} loads is there, and may be kept for ever`, async (wire) => {
      const page = await wire('GET', path);
      const assets = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
      ok(assets.length >= 2, 'the page names no script and style');
      for (const name of assets) {
        const asset = await wire('GET', name);
        hasStatus(asset, 200);
        hasHeader(asset, 'Cache-Control', /immutable/);
      }
    }),
  ),
  check('the dashboard knows where people sign in', async (wire) => {
    const settings = await wire('GET', '/config.json');
    hasStatus(settings, 200);
    ok(settings.json?.authorization_endpoint, 'no authorization_endpoint: nobody can sign in');
    ok(settings.json.token_endpoint, 'no token_endpoint: nobody can sign in');
  }),
  check('the HTTP interface is described at /openapi.json', async (wire) => {
    const document = await wire('GET', '/openapi.json');
    hasStatus(document, 200);
    hasHeader(document, 'Content-Type', 'application/json; charset=utf-8');
    match(String(document.json?.openapi), /^3[.]1[.]/);
  }),
  check('requests, answers and refusals of each operation are at /openapi-examples.json', async (wire) => {
    const examples = await wire('GET', '/openapi-examples.json');
    hasStatus(examples, 200);
    hasHeader(examples, 'Content-Type', 'application/json; charset=utf-8');
    ok(examples.json?.trackSale, 'no example of a sale');
  }),
  check('every error is explained at /docs/errors', async (wire) => {
    const page = await wire('GET', '/docs/errors');
    hasStatus(page, 200);
    hasHeader(page, 'Content-Type', 'text/html; charset=utf-8');
    hasHeader(page, 'Content-Security-Policy', /^default-src 'none'/);
    match(page.text, /id="api_key_rotation_required"/);
  }),
];

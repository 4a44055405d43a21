import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtDashboard } from '#infra/build/dashboard-files.ts';
import type { SiteFile } from '#infra/build/site-file.ts';

const installation = {
  base_url: 'https://track.acme.test',
  issuer: 'https://issuer.acme.test/pool',
  client_id: 'dashboard',
  authorization_endpoint: 'https://login.acme.test/authorize',
  token_endpoint: 'https://login.acme.test/token',
  logout_endpoint: 'https://login.acme.test/logout',
  stripe_connect: false,
  sign_in_hint: null,
};

const FIRST_PAGE_LIMIT_BYTES = 120 * 1024;

let files: SiteFile[];
const at = (path: string) => files.find((file) => file.path === path)!;
const assets = () => files.filter(({ path }) => path.startsWith('/assets/'));

beforeAll(async () => {
  files = (await builtDashboard())(installation);
});

it('serves one page at every path of the application', () => {
  const pages = files.filter(
    ({ contentType, path }) => contentType.startsWith('text/html') && !path.startsWith('/docs'),
  );
  expect(pages.map(({ path }) => path)).toEqual([
    '/',
    '/signed-in',
    '/cli/login',
    '/members',
    '/programs/new',
    '/programs/{id}',
    '/programs/{id}/setup',
    '/programs/{id}/partners',
    '/programs/{id}/links',
    '/programs/{id}/commissions',
    '/programs/{id}/events',
    '/programs/{id}/sale',
    '/programs/{id}/settings',
  ]);
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
});

it('allows its pages nothing but their own origin and the issuer', () => {
  const own =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'%; form-action 'none'; " +
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
  const policies = ['/', '/docs/errors'].map((path) => at(path).headers?.['Content-Security-Policy']);
  expect(policies).toEqual([
    own.replace('%', ' https://issuer.acme.test https://login.acme.test'),
    own.replace('%', ''),
  ]);
  expect(at('/').headers).toMatchObject({
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
});

it('has no foreign script, style or address in its pages', () => {
  for (const path of ['/', '/docs/errors']) {
    expect(at(path).text).not.toMatch(/<style|style=|\son\w+=|<script(?! type="module" src="\/assets\/)|https?:/);
  }
});

it('names assets after their content, so that they may be kept for ever', () => {
  expect(assets().map(({ path, cacheControl }) => [path, cacheControl])).toEqual([
    [expect.stringMatching(/^\/assets\/main-[0-9A-Z]{8}\.js$/), 'public, max-age=31536000, immutable'],
    [expect.stringMatching(/^\/assets\/dashboard-[0-9A-Z]{8}\.css$/), 'public, max-age=31536000, immutable'],
  ]);
  for (const { path } of assets()) expect(at('/').text).toContain(`"${path}"`);
});

it('asks for pages and settings anew each time', () => {
  for (const path of ['/', '/docs/errors', '/config.json']) expect(at(path).cacheControl).toBe('no-cache');
});

it('gives the application its installation', () => {
  expect(JSON.parse(at('/config.json').text)).toEqual(installation);
});

it('loads at most 120 KB for the first page, compressed', () => {
  const loaded = [at('/'), ...assets(), at('/icon.svg'), at('/config.json')];
  const bytes = loaded.reduce((sum, { text }) => sum + brotliCompressSync(text).length, 0);
  console.info(`first page: ${(bytes / 1024).toFixed(1)} KB`);
  expect(bytes).toBeLessThanOrEqual(FIRST_PAGE_LIMIT_BYTES);
});

it('is the same however often it is built', async () => {
  expect((await builtDashboard())(installation)).toEqual(files);
});

describe('the page of errors', () => {
  it('writes what it says as text, not as markup', () => {
    expect(at('/docs/errors').text).toContain('Expected: Bearer &lt;token&gt;');
  });
});

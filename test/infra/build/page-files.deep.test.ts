import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtFont, fontFile } from '#infra/build/font.ts';
import { builtPages } from '#infra/build/page-files.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { SiteFile } from '#infra/build/site-file.ts';

const installation = {
  base_url: 'https://track.acme.test',
  product_name: 'Acme & <Friends>',
  issuer: 'https://issuer.acme.test/pool',
  client_id: 'dashboard',
  authorization_endpoint: 'https://login.acme.test/authorize',
  token_endpoint: 'https://login.acme.test/token',
  logout_endpoint: 'https://login.acme.test/logout',
  stripe_connect: false,
  currencies: ['USD'],
  sign_in_hint: null,
};

const FIRST_PAGE_LIMIT_BYTES = 60 * 1024;

let files: SiteFile[];
const at = (path: string) => files.find((file) => file.path === path)!;
const assets = () => files.filter(({ path }) => path.startsWith('/assets/'));

/** The scripts named by a page. */
const scriptsFrom = (page: string): string[] =>
  page
    .matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)
    .map(([, path]) => path!)
    .toArray();
/** The scripts statically imported by a script, recursively. */
const importsOf = (path: string): string[] => {
  const own = at(path)
    .text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)
    .map(([, name]) => `/assets/${name}`)
    .toArray();
  return [...new Set([...own, ...own.flatMap(importsOf)])];
};

beforeAll(async () => {
  files = (await builtPages())(installation);
});

it('the same page is served at every path of an application', () => {
  const pages = files.filter(
    ({ contentType, path }) => contentType.startsWith('text/html') && !path.startsWith('/docs'),
  );
  const [dashboard, portal] = [Object.values(pagePaths), Object.values(portalPaths)];
  expect(pages.map(({ path }) => path)).toEqual([...dashboard, ...portal]);
  for (const paths of [dashboard, portal]) expect(new Set(paths.map((path) => at(path).text)).size).toBe(1);
  expect(at(portalPaths.home).text).not.toBe(at(pagePaths.home).text);
});

it('the pages’ titles contain the name of the product', () => {
  for (const path of ['/', '/partner']) expect(at(path).text).toContain('<title>Acme &amp; &lt;Friends></title>');
  expect(at('/docs/errors').text).toContain('<title>Errors and what to do – Acme &amp; &lt;Friends&gt;</title>');
});

it('pages may send requests only to their own origin and the identity provider', () => {
  const own =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'%; form-action 'none'; " +
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
  const policies = ['/', '/partner', '/docs/errors'].map((path) => at(path).headers?.['Content-Security-Policy']);
  expect(policies).toEqual([
    own.replace('%', ' https://issuer.acme.test https://login.acme.test'),
    own.replace('%', ' https://issuer.acme.test https://login.acme.test'),
    own.replace('%', ''),
  ]);
  expect(at('/').headers).toMatchObject({
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
});

it('pages contain no script, style or URL of another host', () => {
  for (const path of ['/', '/partner', '/docs/errors']) {
    expect(at(path).text).not.toMatch(/<style|style=|\son\w+=|<script(?! type="module" src="\/assets\/)|https?:/);
  }
});

it('files that pages load are named by a hash of their content, so that browsers can cache them permanently', () => {
  for (const { path, cacheControl } of assets()) {
    expect(path).toMatch(/^\/assets\/[\w-]+-[0-9A-Z]{8}\.(js|css|woff2)$/);
    expect(cacheControl).toBe('public, max-age=31536000, immutable');
  }
});

it.each(['/', '/partner'])('the page %s preloads all modules that its script imports', (first) => {
  const [, script] = /<script type="module" src="(.+)">/.exec(at(first).text)!;
  const preloaded = at(first)
    .text.matchAll(/<link rel="modulepreload" href="(.+)">/g)
    .map(([, path]) => path!)
    .toArray();
  expect(preloaded.toSorted()).toEqual(importsOf(script!).toSorted());
});

it('browsers check pages and their settings for changes at every load', () => {
  for (const path of ['/', '/partner', '/docs/errors', '/config.json']) expect(at(path).cacheControl).toBe('no-cache');
});

it('the file /config.json contains the settings of the installation', () => {
  expect(JSON.parse(at('/config.json').text)).toEqual(installation);
});

/** The overview's script of a page, which is loaded in addition. Both applications have one called `overview`. */
const overviewOf = (page: string): string =>
  scriptsFrom(page)
    .flatMap((script) => [script, ...importsOf(script)])
    .flatMap((script) =>
      at(script)
        .text.matchAll(/import\("\.\/(overview-\w+\.js)"\)/g)
        .toArray(),
    )
    .map(([, name]) => `/assets/${name}`)[0]!;

/** As sent: text with brotli, a font as it is. */
const bytesOf = ({ text, encoding }: SiteFile): number =>
  (encoding ? Buffer.from(text, encoding) : brotliCompressSync(text)).length;

it.each([
  { name: 'the dashboard with an overview', path: pagePaths.overview, further: overviewOf },
  { name: 'the portal with an overview', path: portalPaths.overview, further: overviewOf },
  { name: 'the portal', path: portalPaths.home },
  { name: 'the page to join a program', path: portalPaths.join },
])('$name loads at most 60 KB compressed at first', ({ name, path, further }) => {
  const page = at(path).text;
  const onDemand = further ? [further(page)] : [];
  const scripts = new Set([scriptsFrom(page), onDemand, ...onDemand.map(importsOf)].flat());
  const [, style] = /<link rel="stylesheet" href="(.+?)">/.exec(page)!;
  const [, font] = /<link rel="preload" href="(.+?)" as="font"/.exec(page)!;
  const loaded = [path, ...scripts, style!, font!, '/icon.svg', '/config.json'].map(at);
  const bytes = loaded.reduce((sum, file) => sum + bytesOf(file), 0);
  console.info(`first load of ${name}: ${(bytes / 1024).toFixed(1)} KB`);
  expect(bytes).toBeLessThanOrEqual(FIRST_PAGE_LIMIT_BYTES);
});

it('the font file in the repository is exactly what the build makes from the font’s package', async () => {
  expect((await readFile(fontFile)).equals(await builtFont())).toBe(true);
});

it('the site contains the licenses of its packages, icons and font', () => {
  const { text } = at('/licenses.txt');
  for (const name of ['@fontsource-variable/geist', 'lucide', 'preact', 'preact-iso', 'qr']) {
    expect(text).toMatch(new RegExp(`^${name}\\n\\n.*(?:Copyright|License)`, 'm'));
  }
  expect(text).toContain('SIL OPEN FONT LICENSE Version 1.1');
});

it('two builds of an application are the same byte for byte', async () => {
  expect((await builtPages())(installation)).toEqual(files);
});

describe('the page about errors', () => {
  it('shows placeholders such as <token> as text, not as markup', () => {
    expect(at('/docs/errors').text).toContain('Expected: Bearer &lt;token&gt;');
  });
});

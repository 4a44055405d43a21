import { basename } from 'node:path';
import { build, type OutputFile } from 'esbuild';
import { pageHeaders } from '#infra/build/page-headers.ts';
import type { DashboardSettings } from '#lib/wire/dashboard-settings.ts';
import { browserBundling, type SiteFile } from '#infra/build/site-file.ts';
import { appPage } from '#lib/apps/dashboard/static/app-page.ts';
import { errorPage } from '#lib/apps/dashboard/static/error-page.ts';
import { icon } from '#lib/apps/dashboard/static/icon.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';

/** An asset's name changes with its content; pages and settings are revalidated each time. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';

/** The dashboard, the page of errors, and the sign-in settings, which may be known later. */
export async function builtDashboard(): Promise<(settings: DashboardSettings) => SiteFile[]> {
  const assets = await builtAssets();
  const pathOf = (ending: string) => assets.find(({ path }) => path.endsWith(ending))!.path;
  const shell = appPage({ script: pathOf('.js'), style: pathOf('.css') });
  return (settings) => [
    ...Object.values(pagePaths).map((path) => page(path, shell, pageHeaders(originsOf(settings)))),
    page('/docs/errors', errorPage({ style: pathOf('.css') }), pageHeaders()),
    ...assets,
    { path: '/icon.svg', contentType: 'image/svg+xml', cacheControl: 'public, max-age=86400', text: icon },
    {
      path: '/config.json',
      contentType: 'application/json; charset=utf-8',
      cacheControl: ASK_AGAIN,
      text: JSON.stringify(settings),
    },
  ];
}

const page = (path: string, text: string, headers: SiteFile['headers']): SiteFile => ({
  path,
  contentType: 'text/html; charset=utf-8',
  cacheControl: ASK_AGAIN,
  headers,
  text,
});

async function builtAssets(): Promise<SiteFile[]> {
  const { outputFiles } = await build({
    ...browserBundling,
    entryPoints: ['lib/apps/dashboard/main.tsx', 'lib/apps/dashboard/style/dashboard.css'],
    entryNames: '[name]-[hash]',
    outdir: '/assets',
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  return outputFiles.map(asset);
}

const asset = ({ path, text }: OutputFile): SiteFile => ({
  path: `/assets/${basename(path)}`,
  contentType: path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
  cacheControl: FOR_EVER,
  headers: { 'X-Content-Type-Options': 'nosniff' },
  text,
});

/** Paths are on the page's own origin, which is always allowed. */
const originsOf = ({ issuer, token_endpoint: tokens }: DashboardSettings): string[] => [
  ...new Set([issuer, tokens ?? ''].filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
];

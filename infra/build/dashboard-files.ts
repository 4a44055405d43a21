import { basename } from 'node:path';
import { build, type OutputFile } from 'esbuild';
import { pageHeaders } from '#infra/build/page-headers.ts';
import type { DashboardSettings } from '#lib/wire/dashboard-settings.ts';
import { browserBundling, type SiteFile } from '#infra/build/site-file.ts';
import { appPage } from '#lib/apps/web/static/app-page.ts';
import { errorPage } from '#lib/apps/dashboard/static/error-page.ts';
import { icon } from '#lib/apps/web/static/icon.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';

const SCRIPT = 'lib/apps/dashboard/main.tsx';
const STYLE = 'lib/apps/dashboard/style/dashboard.css';

/** An asset's name changes with its content; pages and settings are revalidated each time. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';

/** The dashboard, the page of errors, and the sign-in settings, which may be known later. */
export async function builtDashboard(): Promise<(settings: DashboardSettings) => SiteFile[]> {
  const { assets, script, style, shared } = await builtAssets();
  const shell = appPage({ script, style, shared });
  return (settings) => [
    ...Object.values(pagePaths).map((path) => page(path, shell, pageHeaders(originsOf(settings)))),
    page('/docs/errors', errorPage({ style }), pageHeaders()),
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

interface Assets {
  readonly assets: readonly SiteFile[];
  /** Paths of the application's script and style, and of the scripts that its script needs at once. */
  readonly script: string;
  readonly style: string;
  readonly shared: readonly string[];
}

async function builtAssets(): Promise<Assets> {
  const { outputFiles, metafile } = await build({
    ...browserBundling,
    entryPoints: [SCRIPT, STYLE],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: '/assets',
    format: 'esm',
    // The overview, the other pages, and what they share are scripts of their own.
    splitting: true,
    metafile: true,
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const outputs = Object.entries(metafile.outputs);
  const [script, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint === SCRIPT)!;
  const [style] = outputs.find(([, { entryPoint }]) => entryPoint === STYLE)!;
  return {
    assets: outputFiles.map(asset),
    script: assetPath(script),
    style: assetPath(style),
    shared: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => assetPath(path)),
  };
}

const assetPath = (path: string): string => `/assets/${basename(path)}`;

const asset = ({ path, text }: OutputFile): SiteFile => ({
  path: assetPath(path),
  contentType: path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
  cacheControl: FOR_EVER,
  headers: { 'X-Content-Type-Options': 'nosniff' },
  text,
});

/** Paths are on the page's own origin, which is always allowed. */
const originsOf = ({ issuer, token_endpoint: tokens }: DashboardSettings): string[] => [
  ...new Set([issuer, tokens ?? ''].filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
];

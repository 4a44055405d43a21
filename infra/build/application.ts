import { basename, extname } from 'node:path';
import { build, type OutputFile } from 'esbuild';
import { browserBundling, type SiteFile } from '#infra/build/site-file.ts';
import { appPage } from '#lib/apps/web/static/app-page.ts';

/** For assets: a changed asset has a new name, so caches may keep one forever. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** The file of the font that every page needs. */
const FIRST_FONT = /\/geist-[^-]+\.woff2$/;
const PACKAGE = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;
/** For pages and settings: caches must ask for a newer version on each use. */
export const ASK_AGAIN = 'no-cache';

interface Sources {
  readonly script: string;
  readonly style: string;
}

export interface Application {
  readonly assets: readonly SiteFile[];
  /** Path of the application's style sheet. */
  readonly style: string;
  /**
   * Returns the HTML file for all paths of the application.
   * @param title shown until the script sets the page's own title
   */
  readonly page: (title: string) => string;
  /** Names of the packages that the application's files contain. */
  readonly packages: readonly string[];
}

/** Builds a browser application (dashboard or portal) from source. */
export async function builtApplication(sources: Sources): Promise<Application> {
  const { outputFiles, metafile } = await build({
    ...browserBundling,
    entryPoints: [sources.script, sources.style],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    outdir: '/assets',
    format: 'esm',
    // Splits the code into a script for the first page, one for each other page, and scripts with the code that they
    // share.
    splitting: true,
    metafile: true,
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const outputs = Object.entries(metafile.outputs);
  const [script, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint === sources.script)!;
  const style = assetPath(outputs.find(([, { entryPoint }]) => entryPoint === sources.style)![0]);
  const font = outputs.map(([path]) => assetPath(path)).find((path) => FIRST_FONT.test(path))!;
  const shared = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => assetPath(path));
  const parts = { script: assetPath(script), style, font, shared };
  return {
    assets: outputFiles.map(asset),
    style,
    page: (title) => appPage({ title, ...parts }),
    packages: Object.keys(metafile.inputs).flatMap((path) => PACKAGE.exec(path)?.[1] ?? []),
  };
}

const assetPath = (path: string): string => `/assets/${basename(path)}`;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
};

const asset = ({ path, text, contents }: OutputFile): SiteFile => ({
  path: assetPath(path),
  contentType: contentTypes[extname(path)]!,
  cacheControl: FOR_EVER,
  headers: { 'X-Content-Type-Options': 'nosniff' },
  ...(path.endsWith('.woff2') ? { text: Buffer.from(contents).toString('base64'), encoding: 'base64' } : { text }),
});

export const page = (path: string, text: string, headers: SiteFile['headers']): SiteFile => ({
  path,
  contentType: 'text/html; charset=utf-8',
  cacheControl: ASK_AGAIN,
  headers,
  text,
});

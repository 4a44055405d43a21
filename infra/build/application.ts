import { basename } from 'node:path';
import { build, type OutputFile } from 'esbuild';
import { browserBundling, type SiteFile } from '#infra/build/site-file.ts';
import { appPage } from '#lib/apps/web/static/app-page.ts';

/** An asset's name changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Pages and settings are revalidated each time. */
export const ASK_AGAIN = 'no-cache';

interface Sources {
  readonly script: string;
  readonly style: string;
}

export interface Application {
  readonly assets: readonly SiteFile[];
  /** Path of its style. */
  readonly style: string;
  /** The page behind all its paths. */
  readonly page: string;
}

/** An application that draws itself in the browser. */
export async function builtApplication(sources: Sources): Promise<Application> {
  const { outputFiles, metafile } = await build({
    ...browserBundling,
    entryPoints: [sources.script, sources.style],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: '/assets',
    format: 'esm',
    // The first page, the other pages, and what they share are scripts of their own.
    splitting: true,
    metafile: true,
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const outputs = Object.entries(metafile.outputs);
  const [script, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint === sources.script)!;
  const style = assetPath(outputs.find(([, { entryPoint }]) => entryPoint === sources.style)![0]);
  const shared = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => assetPath(path));
  return { assets: outputFiles.map(asset), style, page: appPage({ script: assetPath(script), style, shared }) };
}

const assetPath = (path: string): string => `/assets/${basename(path)}`;

const asset = ({ path, text }: OutputFile): SiteFile => ({
  path: assetPath(path),
  contentType: path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
  cacheControl: FOR_EVER,
  headers: { 'X-Content-Type-Options': 'nosniff' },
  text,
});

export const page = (path: string, text: string, headers: SiteFile['headers']): SiteFile => ({
  path,
  contentType: 'text/html; charset=utf-8',
  cacheControl: ASK_AGAIN,
  headers,
  text,
});

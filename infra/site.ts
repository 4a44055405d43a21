import { join } from 'node:path';
import { build } from 'esbuild';

const projectFolder = join(import.meta.dirname, '..');

/** A static file as browsers get it: from the local run, and on AWS from the website's bucket. */
export interface SiteFile {
  /** Below the base URL, such as `/js/tracker.js`. */
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How everything that runs in a browser is bundled. */
const bundling = {
  absWorkingDir: projectFolder,
  bundle: true,
  minify: true,
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
} as const;

async function trackerScript(): Promise<SiteFile> {
  const { outputFiles } = await build({
    ...bundling,
    entryPoints: ['lib/tracker/script.ts'],
    format: 'iife',
    target: 'es2020',
  });
  return {
    path: '/js/tracker.js',
    contentType: 'text/javascript; charset=utf-8',
    cacheControl: 'public, max-age=3600',
    headers: { 'Access-Control-Allow-Origin': '*' },
    text: outputFiles[0]!.text,
  };
}

/** All static files, built from source. */
export const siteFiles = async (): Promise<SiteFile[]> => [await trackerScript()];

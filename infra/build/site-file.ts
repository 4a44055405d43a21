import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** A static file for browsers: from the local run, and on AWS from the website's bucket. */
export interface SiteFile {
  /** Below the base URL, such as `/js/tracker.js`; a page's path may hold parameters in braces. */
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How everything that runs in a browser is bundled. */
export const browserBundling = {
  absWorkingDir: join(import.meta.dirname, '..', '..'),
  bundle: true,
  minify: true,
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

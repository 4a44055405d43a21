import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** A static file for browsers. It is served by the local run, or on AWS from the website's bucket. */
export interface SiteFile {
  /** Path below the base URL, such as `/js/tracker.js`; the path of a page may contain parameters in braces. */
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
  /** If set, `text` contains a binary file in base64. */
  readonly encoding?: 'base64';
}

/** esbuild's options for all code that runs in a browser. */
export const browserBundling = {
  absWorkingDir: join(import.meta.dirname, '..', '..'),
  bundle: true,
  minify: true,
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

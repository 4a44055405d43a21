import { build } from 'esbuild';
import { builtPages } from '#infra/build/page-files.ts';
import type { DashboardSettings } from '#lib/wire/words/dashboard-settings.ts';
import { securityFile } from '#infra/build/security-file.ts';
import { browserBundling, type SiteFile } from '#infra/build/site-file.ts';

/**
 * All static files. `files` is a function, because the dashboard's settings may become known only during the
 * deployment.
 */
export interface Site {
  readonly files: (settings: DashboardSettings, securityContact?: string) => SiteFile[];
  // The next two are set only on AWS: a local run builds documents and package at the first request for them.
  /** The description of the HTTP interface. */
  readonly documents?: readonly SiteFile[];
  /** The folder with the npm package for brands. */
  readonly packageFolder?: string;
}

/**
 * Builds the static files from source, except for the documents and the package, which a local run builds on request.
 */
export async function builtSite(builtOn: Date): Promise<Site> {
  const [tracker, paymentLinks, pages] = await Promise.all([
    brandScript('tracker.js'),
    brandScript('payment-links.js'),
    builtPages(),
  ]);
  return {
    files: (settings, securityContact) => [
      tracker,
      paymentLinks,
      ...(securityContact === undefined ? [] : [securityFile(securityContact, builtOn)]),
      ...pages(settings),
    ],
  };
}

/** Source files of the scripts that brands' pages load, by name below `/js/`. */
const brandScripts = {
  'tracker.js': 'lib/apps/tracker/script.ts',
  'payment-links.js': 'lib/apps/tracker/payment-links.ts',
};

export async function brandScript(name: keyof typeof brandScripts): Promise<SiteFile> {
  const { outputFiles } = await build({
    ...browserBundling,
    entryPoints: [brandScripts[name]],
    format: 'iife',
    target: 'es2021',
    // Otherwise esbuild would read the project's tsconfig.json, and add "use strict" to the script.
    tsconfigRaw: {},
  });
  return {
    path: `/js/${name}`,
    contentType: 'text/javascript; charset=utf-8',
    cacheControl: 'public, max-age=3600',
    headers: { 'Access-Control-Allow-Origin': '*' },
    text: outputFiles[0]!.text,
  };
}

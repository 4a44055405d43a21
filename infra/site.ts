import { build } from 'esbuild';
import { dashboardFiles } from '#infra/dashboard-files.ts';
import type { DashboardSettings } from '#infra/dashboard-settings.ts';
import { browserBundling, type SiteFile } from '#infra/site-file.ts';

/** All static files, built from source. */
export async function siteFiles(settings: DashboardSettings): Promise<SiteFile[]> {
  const [tracker, dashboard] = await Promise.all([trackerScript(), dashboardFiles(settings)]);
  return [tracker, ...dashboard];
}

async function trackerScript(): Promise<SiteFile> {
  const { outputFiles } = await build({
    ...browserBundling,
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

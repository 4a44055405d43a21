import { ASK_AGAIN, builtApplication, page } from '#infra/build/application.ts';
import { licensesFile } from '#infra/build/licenses-file.ts';
import { pageHeaders } from '#infra/build/page-headers.ts';
import type { SiteFile } from '#infra/build/site-file.ts';
import { errorPage } from '#lib/apps/dashboard/static/error-page.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import { icon } from '#lib/apps/web/static/icon.ts';
import type { DashboardSettings } from '#lib/wire/words/dashboard-settings.ts';

const sources = {
  dashboard: { script: 'lib/apps/dashboard/main.tsx', style: 'lib/apps/dashboard/style/dashboard.css' },
  portal: { script: 'lib/apps/portal/main.tsx', style: 'lib/apps/portal/style/portal.css' },
};

/**
 * Builds the dashboard, the partner portal and the page about errors.
 * @returns a function of the sign-in settings, because on AWS they become known only during the deployment
 */
export async function builtPages(): Promise<(settings: DashboardSettings) => SiteFile[]> {
  const [dashboard, portal] = await Promise.all([
    builtApplication(sources.dashboard),
    builtApplication(sources.portal),
  ]);
  // If both applications contain the same asset, it is published once.
  const assets = new Map([...dashboard.assets, ...portal.assets].map((asset) => [asset.path, asset]));
  const licenses = licensesFile([...dashboard.packages, ...portal.packages]);
  return (settings) => {
    const headers = pageHeaders(originsOf(settings));
    const title = settings.product_name;
    return [
      ...Object.values(pagePaths).map((path) => page(path, dashboard.page(title), headers)),
      ...Object.values(portalPaths).map((path) => page(path, portal.page(title), headers)),
      page('/docs/errors', errorPage({ style: dashboard.style, product: title }), pageHeaders()),
      ...assets.values(),
      licenses,
      { path: '/icon.svg', contentType: 'image/svg+xml', cacheControl: 'public, max-age=86400', text: icon },
      {
        path: '/config.json',
        contentType: 'application/json; charset=utf-8',
        cacheControl: ASK_AGAIN,
        text: JSON.stringify(settings),
      },
    ];
  };
}

/**
 * Returns the origins of those URLs of the issuer that are absolute. A URL without an origin is on the page's own
 * origin, which pages may always call.
 */
const originsOf = ({ issuer, token_endpoint: tokens }: DashboardSettings): string[] => [
  ...new Set([issuer, tokens ?? ''].filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
];

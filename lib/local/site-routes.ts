import type { SiteFile } from '#infra/site-file.ts';
import type { ServedRoute } from '#lib/local/served-route.ts';

/** Serves the static files as the website's bucket does on AWS. */
export const siteRoutes = (files: readonly SiteFile[]): ServedRoute[] =>
  files.map(({ path, contentType, cacheControl, headers, text }) => ({
    method: 'GET',
    path,
    handler: async () => ({
      statusCode: 200,
      headers: { ...headers, 'Content-Type': contentType, 'Cache-Control': cacheControl },
      body: text,
    }),
  }));

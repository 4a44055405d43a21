import type { SiteFile } from '#infra/build/site-file.ts';
import { entryPaths, PORTAL_ADDRESS } from '#lib/apps/web/static/entry-paths.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';

/** Serves the static files, as the website's bucket does on AWS. */
export const siteRoutes = (files: readonly SiteFile[]): ServedRoute[] =>
  files.map(({ path, contentType, cacheControl, headers, text, encoding }) => ({
    method: 'GET',
    path,
    handler: async () => ({
      statusCode: 200,
      headers: { ...headers, 'Content-Type': contentType, 'Cache-Control': cacheControl },
      body: text,
      isBase64Encoded: encoding === 'base64',
    }),
  }));

/** Handles requests without a route as CloudFront does: a browser gets the not-found page of the application. */
export function withPages(fallback: Handler, pages: Promise<readonly ServedRoute[]>): Handler {
  return async (event) => {
    const { method, path } = event.requestContext.http;
    const isPage =
      method === 'GET' && event.headers.accept?.includes('text/html') && !/^\/(api|brand|local)\/|\.[^/]+$/.test(path);
    if (!isPage) return fallback(event);
    const home = PORTAL_ADDRESS.test(path) ? entryPaths.portal : entryPaths.dashboard;
    return (await pages).find((page) => page.path === home)!.handler(event);
  };
}

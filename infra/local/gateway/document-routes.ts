import type { ServedRoute } from '#infra/local/gateway/served-route.ts';
import { siteRoutes } from '#infra/local/gateway/site-routes.ts';

/**
 * Serves the documents that describe the HTTP interface. They are created at the first request, because few runs need
 * them.
 */
export const documentRoutes = (): ServedRoute[] =>
  ['/openapi.json', '/openapi-examples.json'].map((path) => ({
    method: 'GET',
    path,
    async handler(event) {
      const { documents } = await import('#infra/build/documents.ts');
      return siteRoutes(documents.filter((document) => document.path === path))[0]!.handler(event);
    },
  }));

import { routes } from '#infra/routes.ts';
import type { SiteFile } from '#infra/build/site-file.ts';
import { openApiDocument, openApiExamples } from '#lib/wire/document/document.ts';

const documentFile = (path: string, document: object): SiteFile => ({
  path,
  contentType: 'application/json; charset=utf-8',
  cacheControl: 'no-cache',
  text: JSON.stringify(document),
});

/**
 * The documents that describe the HTTP interface. Importing this module is slow, because it creates the schema of each
 * reply.
 */
export const documents: readonly SiteFile[] = [
  documentFile('/openapi.json', openApiDocument(routes)),
  documentFile('/openapi-examples.json', openApiExamples(routes)),
];

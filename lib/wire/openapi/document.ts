import { headers, type Header, type HeaderName } from '#lib/wire/headers.ts';
import { jsonSchemas } from '#lib/wire/openapi/json-schema.ts';
import { operations } from '#lib/wire/openapi/operations.ts';
import type { Operation } from '#lib/wire/openapi/operation.ts';
import { type Json, OPTIONAL, writtenOperations } from '#lib/wire/openapi/written-operation.ts';
import { securitySchemes } from '#lib/wire/openapi/security.ts';
import { writtenWebhooks } from '#lib/wire/openapi/webhooks.ts';
import { tags } from '#lib/wire/openapi/tags.ts';

/** The methods of the gateway's `ANY`. */
const anyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A route of the index of routes. */
export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  /** Its file below functions/. */
  readonly function: string;
}

/** The OpenAPI 3.1 document of the whole HTTP interface. */
export function openApiDocument(routes: readonly DocumentedRoute[]): Json {
  const schemas = jsonSchemas();
  const written = writtenOperations(schemas);
  const paths: Record<string, Record<string, Json>> = {};
  for (const { method, path, function: name } of routes) {
    for (const each of method === 'ANY' ? anyMethod : [method]) {
      (paths[documentedPath(path)] ??= {})[each.toLowerCase()] = written.of(documentationOf(name), each, path);
    }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The installation that serves this document.' }],
    tags,
    paths,
    webhooks: writtenWebhooks(schemas),
    components: {
      securitySchemes,
      headers: headerComponents(written.headers),
      responses: written.responses,
      schemas: schemas.components(),
    },
  };
}

/** OpenAPI knows no greedy parameters. */
export const documentedPath = (path: string): string => path.replace('+}', '}');

const info = {
  title: 'Referral tracking service',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  description: [
    'Records the chain click, lead (signup), sale, refund; attributes each sale to a partner; creates the commission.',
    'Amounts are integers in the smallest currency unit. Times are UTC, ISO 8601.',
    'In requests unknown fields are ignored and `null` counts as absent. New fields may come; none is renamed or removed.',
    'Read `error.code` first, then `error.message`.',
  ].join('\n\n'),
};

/** @throws Error for a route without description */
function documentationOf(name: string): Operation {
  const operation = operations[name];
  if (!operation) throw new Error(`functions/${name}.ts is not documented: describe it in lib/wire/operations/`);
  return operation;
}

/** Each header that a reply refers to, as required or optional. */
const headerComponents = (used: ReadonlySet<string>): Json =>
  Object.fromEntries(
    [...used].toSorted().map((component) => {
      const isOptional = component.endsWith(OPTIONAL);
      const name = (isOptional ? component.slice(0, -OPTIONAL.length) : component) as HeaderName;
      const { description, schema }: Header = headers[name];
      return [component, { description, ...(!isOptional && { required: true }), schema }];
    }),
  );

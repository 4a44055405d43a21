import { headers, type Header, type HeaderName } from '#lib/wire/words/headers.ts';
import { ANY_NUMBER } from '#lib/wire/document/error-bodies.ts';
import { examplesOf } from '#lib/wire/document/examples.ts';
import { linksOf } from '#lib/wire/document/links.ts';
import { jsonSchemas } from '#lib/wire/document/json-schema.ts';
import { type DocumentedFunction, operations } from '#lib/wire/document/operations.ts';
import {
  commonHeaders,
  operationIdOf,
  type Edition,
  type Json,
  OPTIONAL,
  usualSecurity,
  writtenOperations,
} from '#lib/wire/document/written-operation.ts';
import { securitySchemes } from '#lib/wire/document/security.ts';
import { commonSettings } from '#lib/wire/programs/settings/program-fields-operations.ts';
import { type Schemas, withInheritance, withoutRepetition } from '#lib/wire/document/short-schemas.ts';
import { type Paths, withSharedParameters } from '#lib/wire/document/shared-parameters.ts';
import { webhookHeaders, webhookReplies, writtenWebhooks } from '#lib/wire/document/webhooks.ts';
import { tags } from '#lib/wire/document/tags.ts';

/** The methods that the gateway's `ANY` includes. */
const anyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A route, with what the OpenAPI document needs to know about it. */
export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  /** The path of the function's file below functions/. */
  readonly function: DocumentedFunction;
}

/**
 * The OpenAPI 3.1 document of the whole HTTP API. The published edition is short: it describes the common parts of all
 * replies only once. The complete edition repeats everything at each operation, for tools that check replies.
 */
export function openApiDocument(routes: readonly DocumentedRoute[], edition: Edition = 'published'): Json {
  const schemas = jsonSchemas();
  if (edition === 'published') Object.values(commonSettings).forEach((each) => schemas.of(each, 'request'));
  const written = writtenOperations(schemas, edition);
  const paths: Record<string, Record<string, Json>> = {};
  for (const { method, path, operation } of documentedOperations(routes)) {
    (paths[path] ??= {})[method.toLowerCase()] = written.of(operation, method, path);
  }
  const components = schemas.components();
  const shared = withSharedParameters(withLinks(paths, linksOf(paths, components)));
  const document = {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The installation that serves this document.' }],
    security: usualSecurity,
    tags,
    paths: shared.paths,
    webhooks: writtenWebhooks(schemas),
    components: {
      securitySchemes,
      parameters: { ...shared.parameters, ...webhookHeaders },
      headers: headerComponents(written.headers),
      responses: { ...written.responses, ...webhookReplies },
      schemas: components,
    },
  };
  return edition === 'published' ? published(document) : document;
}

function published<Document extends { readonly components: { readonly schemas: Schemas } }>(
  document: Document,
): Document {
  const { components, ...rest } = withoutRepetition(document);
  return { ...rest, components: { ...components, schemas: withInheritance(components.schemas) } } as Document;
}

/** Adds links to the successful replies. */
const withLinks = (paths: Paths, links: ReadonlyMap<string, Json>): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const { operationId, responses } = operation as { operationId: string; responses: Record<string, Json> };
          const own = links.get(operationId);
          if (!own) return [method, operation];
          return [method, { ...operation, responses: { ...responses, 200: { ...responses[200], links: own } } }];
        }),
      ),
    ]),
  );

/** Converts a path to OpenAPI, which has no greedy parameters. */
export const documentedPath = (path: string): string => path.replace('+}', '}');

const info = {
  title: 'Referral tracking service',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  description: [
    'Records clicks, leads (signups), sales and refunds, attributes each sale to a partner, and creates the commission.',
    'Amounts are integers in the smallest currency unit. Times are UTC, ISO 8601.',
    'Unknown fields of requests are ignored, and `null` counts as absent. Fields may be added; none is renamed or removed.',
    'Handle errors by `error.code`, or by `error.message` if there is no code.',
    `Replies have the headers ${commonHeaders.map((name) => `\`${name}\``).join(', ')}, which are described once, as components. If the program key must be replaced, replies also have \`Deprecation\`, \`Sunset\` and \`Link\`.`,
    '`/openapi-examples.json` contains real requests and replies of each operation, by `operationId`, and every message with which the operation refuses requests.',
  ].join('\n\n'),
};

/**
 * Real requests and replies of each operation, and all messages of its refusals, by operation id and status. They are
 * in a separate file, because they would be most of the document.
 */
export const openApiExamples = (routes: readonly DocumentedRoute[]): Json =>
  Object.fromEntries(
    documentedOperations(routes).map(({ method, path, operation }) => {
      const id = operationIdOf(operation, method, path);
      const refused = Object.entries(operation.replies).flatMap(([status, { refused: how }]) =>
        how ? [[status, how.messages.map((message) => message.replaceAll(String(ANY_NUMBER), '{number}'))]] : [],
      );
      return [id, { ...examplesOf(id), refusals: Object.fromEntries(refused) }];
    }),
  );

const documentedOperations = (routes: readonly DocumentedRoute[]) =>
  routes.flatMap(({ method, path, function: name }) =>
    (method === 'ANY' ? anyMethod : [method]).map((each) => ({
      method: each,
      path: documentedPath(path),
      operation: operations[name]!,
    })),
  );

/**
 * Each header that a reply refers to. A header that some replies always contain and others only sometimes has two
 * components: a required and an optional one.
 */
const headerComponents = (used: ReadonlySet<string>): Json =>
  Object.fromEntries(
    [...used].toSorted().map((component) => {
      const isOptional = component.endsWith(OPTIONAL);
      const name = (isOptional ? component.slice(0, -OPTIONAL.length) : component) as HeaderName;
      const { description, schema }: Header = headers[name];
      return [component, { description, ...(!isOptional && { required: true }), schema }];
    }),
  );

import { countHeaders } from '#lib/wire/words/headers.ts';
import type { jsonSchemas } from '#lib/wire/document/json-schema.ts';
import { anyOf, type DocumentedReply, type Operation, type Parameter } from '#lib/wire/document/operation.ts';

export type Json = Readonly<Record<string, unknown>>;

/**
 * There are two editions of the document. The published one describes the common parts of replies once; the complete
 * one repeats them in each operation, for tools that check replies.
 */
export type Edition = 'published' | 'complete';

/** The suffix in the name of a header's component if the header is optional. */
export const OPTIONAL = '.optional';

/**
 * Whether the parameter applies to a route. A function with two routes may have the parameter in the path of one and in
 * the query of the other.
 */
const appliesTo = ({ name, in: place, isRequired }: Parameter, path: string): boolean => {
  const isInPath = new RegExp(`\\{${name}\\+?\\}`).test(path);
  return place === 'path' ? isInPath : !isInPath || isRequired !== true;
};

const written = (scheme: Operation['security'][number]): Json => (scheme === 'anonymous' ? {} : { [scheme]: [] });

/** The credential that most operations require. The document states it once for all. */
export const usualSecurity = [written('loginToken')];
const isUsual = (security: Operation['security']): boolean => security.length === 1 && security[0] === 'loginToken';

/** Headers of nearly every reply, which the document describes once. */
export const commonHeaders: readonly string[] = ['X-Request-ID', 'Cache-Control', ...countHeaders];

/** Ends the id of an operation that has a parameter in its query which another operation has in its path. */
const BY_QUERY = 'ByQuery';

const linksTo = (links: NonNullable<Operation['links']>): Json =>
  Object.fromEntries(
    Object.entries(links).map(([operationId, requestBody]) => [operationId, { operationId, requestBody }]),
  );

/** A function with several routes gets one operation for each. */
export const operationIdOf = ({ id }: Operation, method: string, path: string): string =>
  typeof id === 'string' ? id : id(method, path);

/** The body of a request that is a file. A content type without a schema means a body of raw bytes. */
const fileOf = (types: readonly string[]): Json => ({
  required: true,
  content: Object.fromEntries(types.map((type) => [type, {}])),
});

/** Converts operations to OpenAPI, and collects their common replies and headers. */
export function writtenOperations(schemas: ReturnType<typeof jsonSchemas>, edition: Edition) {
  const responses: Record<string, Json> = {};
  const headers = new Set<string>(commonHeaders);

  function headerOf([name, when]: [string, string]): [string, Json] {
    const component = when === 'always' ? name : `${name}${OPTIONAL}`;
    headers.add(component);
    return [name, { $ref: `#/components/headers/${component}` }];
  }

  function replyOf(reply: DocumentedReply, shown: readonly string[]): Json {
    const { description, body, contentType, fileTypes = [] } = reply;
    const described = Object.entries(reply.headers).filter(([name]) => shown.includes(name));
    return {
      description,
      ...(described.length > 0 && { headers: Object.fromEntries(described.map(headerOf)) }),
      ...(body &&
        contentType && {
          content: {
            [contentType]: { schema: schemas.of(body, 'reply') },
            ...Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: 'string' } }])),
          },
        }),
    };
  }

  const completeReplyOf = (reply: DocumentedReply): Json => replyOf(reply, Object.keys(reply.headers));

  /**
   * A reply without the parts that the document describes once: the common headers, and the bodies of refusals, which
   * are components.
   */
  function publishedReplyOf(reply: DocumentedReply): Json {
    if (!reply.refused) {
      const rare = Object.keys(reply.headers).filter((name) => !commonHeaders.includes(name));
      return replyOf(reply, rare);
    }
    const { component, bodies } = reply.refused;
    responses[component] ??= replyOf({ ...reply, body: anyOf(bodies) }, ['Retry-After']);
    return { $ref: `#/components/responses/${component}` };
  }

  const writtenReply = edition === 'published' ? publishedReplyOf : completeReplyOf;

  const parameterOf = ({ name, in: place, description, isRequired, schema }: Parameter): Json => ({
    name,
    in: place,
    description,
    ...(isRequired && { required: true }),
    schema: schemas.of(schema, 'request'),
  });

  const bodyOf = (body: NonNullable<Operation['body']>): Json => ({
    required: !body.safeParse(undefined).success,
    content: { 'application/json': { schema: schemas.of(body, 'request') } },
  });

  function of(operation: Operation, method: string, path: string): Json {
    const { summary, tag, body, fileTypes, security, replies, links } = operation;
    const operationId = operationIdOf(operation, method, path);
    const description = operationId.endsWith(BY_QUERY)
      ? `Like \`${operationId.slice(0, -BY_QUERY.length)}\`, for an id that cannot be part of a path.`
      : operation.description;
    const parameters = (operation.parameters ?? []).filter((parameter) => appliesTo(parameter, path));
    return {
      operationId,
      summary,
      ...(description !== undefined && { description }),
      tags: [tag],
      ...(!isUsual(security) && { security: security.map(written) }),
      ...(parameters.length > 0 && { parameters: parameters.map(parameterOf) }),
      ...(body && { requestBody: bodyOf(body) }),
      ...(fileTypes && { requestBody: fileOf(fileTypes) }),
      responses: Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => [
          status,
          { ...writtenReply(reply), ...(links && status === '200' && { links: linksTo(links) }) },
        ]),
      ),
    };
  }
  return { of, responses, headers };
}

import { examplesOf } from '#lib/wire/openapi/examples.ts';
import type { jsonSchemas } from '#lib/wire/openapi/json-schema.ts';
import type { DocumentedReply, Operation, Parameter } from '#lib/wire/openapi/operation.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Suffix of the component's name of an optional header. */
export const OPTIONAL = '.optional';

/** A function with two routes may take a parameter in the path of one, and must have it in the query of the other. */
const stands = ({ name, in: place, isRequired }: Parameter, path: string): boolean => {
  const isInPath = new RegExp(`\\{${name}\\+?\\}`).test(path);
  return place === 'path' ? isInPath : !isInPath || isRequired !== true;
};

/** Converts operations to OpenAPI, and collects their common replies and headers. */
export function writtenOperations(schemas: ReturnType<typeof jsonSchemas>) {
  const responses: Record<string, Json> = {};
  const headers = new Set<string>();

  function headerOf([name, when]: [string, string]): [string, Json] {
    const component = when === 'always' ? name : `${name}${OPTIONAL}`;
    headers.add(component);
    return [name, { $ref: `#/components/headers/${component}` }];
  }

  function replyOf(reply: DocumentedReply, examples: Json | undefined): Json {
    const { description, body, contentType, fileType, sharedAs } = reply;
    const schema = body && schemas.of(body, 'reply');
    const written = {
      description,
      headers: Object.fromEntries(Object.entries(reply.headers).map(headerOf)),
      ...(schema &&
        contentType && {
          content: {
            [contentType]: { schema, ...(examples && { examples }) },
            ...(fileType && { [fileType]: { schema: { type: 'string' } } }),
          },
        }),
    };
    if (sharedAs === undefined) return written;
    responses[sharedAs] = written;
    return { $ref: `#/components/responses/${sharedAs}` };
  }

  const parameterOf = ({ name, in: place, description, isRequired, schema }: Parameter): Json => ({
    name,
    in: place,
    description,
    ...(isRequired && { required: true }),
    schema: schemas.of(schema, 'request'),
  });

  const bodyOf = (body: NonNullable<Operation['body']>, examples: Json | undefined): Json => ({
    required: !body.safeParse(undefined).success,
    content: { 'application/json': { schema: schemas.of(body, 'request'), ...(examples && { examples }) } },
  });

  function of(operation: Operation, method: string, path: string): Json {
    const { id, summary, description, tag, body, security, replies } = operation;
    const parameters = (operation.parameters ?? []).filter((parameter) => stands(parameter, path));
    const operationId = typeof id === 'string' ? id : id(method, path);
    const examples = examplesOf(operationId);
    return {
      operationId,
      summary,
      ...(description !== undefined && { description }),
      tags: [tag],
      security: security.map((scheme) => (scheme === 'nobody' ? {} : { [scheme]: [] })),
      ...(parameters.length > 0 && { parameters: parameters.map(parameterOf) }),
      ...(body && { requestBody: bodyOf(body, examples.request) }),
      responses: Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => [status, replyOf(reply, examples.replies[status])]),
      ),
    };
  }
  return { of, responses, headers };
}

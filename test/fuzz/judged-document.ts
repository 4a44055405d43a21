import type { Json } from '#lib/wire/document/written-operation.ts';

interface Operation extends Json {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> };
}

type Examples = Readonly<Record<string, { readonly request?: Json }>>;

/** Returns the OpenAPI document, with examples of requests where Schemathesis looks for them. */
export function judgedDocument(document: Json, examples: Json): Json {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const withExamples = (operation: Operation): Json => {
    const request = (examples as Examples)[operation.operationId]?.request;
    if (!operation.requestBody || !request) return operation;
    const { content, ...rest } = operation.requestBody;
    const written = Object.entries(content).map(([type, media]) => [type, { ...media, examples: request }]);
    return { ...operation, requestBody: { ...rest, content: Object.fromEntries(written) } };
  };
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, withExamples(operation)])),
      ]),
    ),
  };
}

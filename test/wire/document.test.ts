import { describe, expect, it } from 'vitest';
import { routes } from '#infra/routes.ts';
import { factTypes } from '#lib/service/outbox/facts/fact.ts';
import { about, cents, metadata, text } from '#lib/wire/words/fields.ts';
import { documentedPath, openApiDocument, openApiExamples } from '#lib/wire/document/document.ts';
import { operations } from '#lib/wire/document/operations.ts';
import { commonHeaders } from '#lib/wire/document/written-operation.ts';

interface Written {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, Reply>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Reply {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly links?: Readonly<Record<string, Link>>;
}

interface Link {
  readonly operationId: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
}

interface Document {
  readonly openapi: string;
  readonly security: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Written }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const document = openApiDocument(routes) as unknown as Document;
const written = Object.values(document.paths).flatMap((path) => Object.values(path));

const parametersOf = (operation: Written): Parameter[] =>
  (operation.parameters ?? []).map((each) =>
    '$ref' in each ? (document.components.parameters![each.$ref.split('/').at(-1)!] as Parameter) : each,
  );

it('the OpenAPI document is below 450 KB', () => {
  expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(450_000);
});

describe('the OpenAPI document, about routes,', () => {
  it.each(routes)('contains $method $path', ({ method, path, function: name }) => {
    expect(operations).toHaveProperty([name]);
    const methods = method === 'ANY' ? ['get', 'post', 'put', 'patch', 'delete', 'options'] : [method.toLowerCase()];
    expect(Object.keys(document.paths[documentedPath(path)] ?? {})).toEqual(expect.arrayContaining(methods));
  });

  it.each(routes)('describes the path parameters of $method $path', ({ method, path }) => {
    const operation = document.paths[documentedPath(path)]![method === 'ANY' ? 'post' : method.toLowerCase()]!;
    const named = parametersOf(operation)
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => name);
    expect(named).toEqual([...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name));
  });
});

it('the OpenAPI document may contain a query parameter with the name of a path parameter', () => {
  const parameters = parametersOf(document.paths['/api/dashboard/v1/programs/{id}/facts']!['get']!);
  expect(parameters.map(({ name, in: place }) => `${place} ${name}`)).toEqual([
    'path id',
    'query type',
    'query since',
    'query id',
    'query limit',
    'query cursor',
  ]);
});

it('the OpenAPI document contains no operation without a route', () => {
  const functions = new Set<string>(routes.map((route) => route.function));
  expect(Object.keys(operations).filter((name) => !functions.has(name))).toEqual([]);
  expect(Object.keys(document.paths).toSorted()).toEqual(
    [...new Set(routes.map(({ path }) => documentedPath(path)))].toSorted(),
  );
});

it('the OpenAPI document describes a webhook for every type of fact', () => {
  const { webhooks } = document;
  expect(Object.keys(webhooks)).toEqual([...factTypes]);
  for (const [type, { post }] of Object.entries(webhooks)) {
    expect(JSON.stringify(post)).toContain(`"const":"${type}"`);
    expect(post.responses).toHaveProperty('2XX');
    expect(post.parameters).toHaveLength(3);
  }
  const named = [...JSON.stringify(webhooks).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!);
  expect(Object.keys(document.components.schemas!)).toEqual(expect.arrayContaining(named));
});

it('the document is valid OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0');
});

it('every operation has a unique name, a chapter, its authentication and the reply 500', () => {
  const ids = written.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const chapters = document.tags.map(({ name }) => name);
  for (const { tags, security = document.security, responses } of written) {
    expect(chapters).toEqual(expect.arrayContaining([...tags]));
    expect(security).not.toEqual([]);
    expect(responses).toHaveProperty('500');
  }
});

it('every reference in the OpenAPI document has a target, and every component is referenced', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  const referred = new Set(references.map(([, kind, name]) => `${kind}/${name}`));
  const present = ['headers', 'parameters', 'responses', 'schemas'].flatMap((kind) =>
    Object.keys(document.components[kind]!).map((name) => `${kind}/${name}`),
  );
  const saidOnce = commonHeaders.map((name) => `headers/${name}`);
  expect([...referred, ...saidOnce].toSorted()).toEqual(present.toSorted());
});

it('every authentication method of the OpenAPI document is described', () => {
  const named = new Set(
    written.flatMap(({ security = document.security }) => security.flatMap((way) => Object.keys(way))),
  );
  expect([...named].toSorted()).toEqual(Object.keys(document.components.securitySchemes!).toSorted());
});

it('the OpenAPI document is the same whenever it is built', () => {
  expect(JSON.stringify(openApiDocument(routes))).toBe(JSON.stringify(document));
});

describe('the complete edition of the OpenAPI document, against which tests check replies,', () => {
  const complete = openApiDocument(routes, 'complete') as unknown as Document;
  const judged = Object.entries(complete.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  it.each(judged)('has for $method $path the statuses of the published edition, and at least its headers', (each) => {
    const short = document.paths[each.path]![each.method]!;
    expect(Object.keys(short.responses)).toEqual(Object.keys(each.operation.responses));
    for (const [status, reply] of Object.entries(each.operation.responses)) {
      const headers = Object.keys(short.responses[status]!.headers ?? {});
      expect(Object.keys(reply.headers ?? {})).toEqual(expect.arrayContaining(headers));
    }
  });

  it('lists every field and every message, and allows no others', () => {
    const { responses } = complete.paths['/api/dashboard/v1/programs/{id}/groups/{group_id}']!['patch']!;
    expect(JSON.stringify(responses['404'])).toContain('"enum":["Program not found","Group not found"]');
    expect(JSON.stringify(complete.components.schemas!['Group'])).toContain('"additionalProperties":false');
    expect(JSON.stringify(document.components.schemas)).not.toContain('"additionalProperties":false');
  });
});

it('the published OpenAPI document has no examples; a second document has these and all messages of refusals', () => {
  expect(JSON.stringify(document)).not.toContain('"examples"');
  const examples = openApiExamples(routes) as Readonly<Record<string, object>>;
  expect(Object.keys(examples).toSorted()).toEqual(written.map(({ operationId }) => operationId).toSorted());
  expect(examples['changeGroup']).toMatchObject({
    request: expect.any(Object) as object,
    replies: { 200: expect.any(Object) as object },
    refusals: { 404: ['Program not found', 'Group not found'] },
  });
});

it('about() describes a field without changing the description of other fields of the same type', () => {
  const described = about('Net of deductions.', cents);
  expect(metadata.get(described)).toEqual({ description: 'Net of deductions.' });
  expect(metadata.get(cents)).toEqual({ id: 'Cents', description: 'In the smallest unit of the currency.' });
  expect(metadata.get(text)).toBeUndefined();
});

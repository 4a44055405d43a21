import type { JsonSchema } from '#lib/wire/document/json-schema.ts';
import type { Schemas } from '#lib/wire/document/short-schemas.ts';
import type { Paths } from '#lib/wire/document/shared-parameters.ts';
import type { Json } from '#lib/wire/document/written-operation.ts';

/**
 * Matches a path that contains parameters, and splits it at the last one: the kind of resource, the parameter, and the
 * rest of the path.
 */
const LAST_PARAMETER = /^(?<base>.*\/)(?<kind>[^/{}]+)\/\{(?<parameter>\w+)\}(?:\/[^{}]*)?$/;

/** A route and its reply. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly reply: JsonSchema | undefined;
}

/**
 * Returns, by operation id, the links from an operation to those that read or change the resource that it created. The
 * links follow from the paths: `…/partners/{partner_id}/accept` changes the resource that was created by a POST to
 * `…/partners`. If no POST creates it, a list provides it: the GET of that path, or a field `partners` of another GET.
 * The parameter's value is the reply's field with the same name, or `id`.
 */
export function linksOf(paths: Paths, schemas: Schemas): ReadonlyMap<string, Json> {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => routeOf(method, path, operation)),
  );
  const links = new Map<string, Json>();
  for (const target of routes) {
    const { base = '', kind, parameter = '' } = LAST_PARAMETER.exec(target.path)?.groups ?? {};
    if (kind === undefined) continue;
    const others = [...base.matchAll(/\{(\w+)\}/g)].map(([, name]) => [`path.${name}`, `$request.path.${name}`]);
    for (const { route, value } of makersOf(routes, base, kind, parameter, schemas)) {
      const link = {
        operationId: target.operationId,
        parameters: { ...Object.fromEntries(others), [`path.${parameter}`]: value },
      };
      links.set(route.operationId, { ...links.get(route.operationId), [target.operationId]: link });
    }
  }
  return links;
}

/** The operations that create or list a resource of this kind, and where in the reply it is. */
function makersOf(routes: readonly Route[], base: string, kind: string, parameter: string, schemas: Schemas) {
  const beginAlike = routes.filter(({ path }) => path.startsWith(base));
  const made = beginAlike.filter(({ path }) => path.endsWith(`/${kind}`));
  const posts = made.filter(({ method }) => method === 'post');
  const beside = beginAlike.filter(({ path }) => !path.slice(base.length).includes('/'));
  const lists = [...made, ...beside].filter(({ method }) => method === 'get');
  const naming = (some: readonly Route[]) =>
    some.flatMap((route) => {
      const value = valueOf(kind, parameter, route, schemas);
      return value === undefined ? [] : [{ route, value }];
    });
  return posts.length > 0 ? naming(posts) : naming(lists).slice(0, 1);
}

function routeOf(method: string, path: string, operation: Json): Route {
  const { operationId, responses } = operation as { operationId: string; responses: Readonly<Record<string, Reply>> };
  return { method, path, operationId, reply: responses['200']?.content?.['application/json']?.schema };
}

interface Reply {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

/** The OpenAPI runtime expression that finds a parameter's value in the reply. */
function valueOf(kind: string, parameter: string, { path, reply }: Route, schemas: Schemas): string | undefined {
  const resolved = (schema: JsonSchema | undefined): JsonSchema | undefined => {
    const reference = schema?.['$ref'];
    if (typeof reference === 'string') return resolved(schemas[reference.slice('#/components/schemas/'.length)]);
    const [first] = (schema?.['oneOf'] ?? schema?.['anyOf'] ?? []) as readonly JsonSchema[];
    return first ? resolved(first) : schema;
  };
  const fieldOf = (schema: JsonSchema | undefined, name: string): JsonSchema | undefined =>
    (resolved(schema)?.['properties'] as Readonly<Record<string, JsonSchema>> | undefined)?.[name];
  const data = resolved(fieldOf(reply, 'data'));
  const ofKind = fieldOf(data, kind);
  const items = (ofKind ?? data)?.['items'] as JsonSchema | undefined;
  // The `id` of a row is the id of another kind of resource, unless the path or the field names this kind.
  const isOfKind = ofKind !== undefined || path.endsWith(`/${kind}`);
  const field = [parameter, ...(isOfKind ? ['id', `${kind.slice(0, -1)}_id`] : [])].find((name) => {
    const value = fieldOf(items ?? data, name);
    return value && !mayBeNull(value);
  });
  return field && `$response.body#/data${ofKind ? `/${kind}` : ''}${items ? '/0' : ''}/${field}`;
}

const mayBeNull = (schema: JsonSchema): boolean => JSON.stringify(schema).includes('"null"');

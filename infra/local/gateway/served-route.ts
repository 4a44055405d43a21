import type { Handler } from '#lib/service/http/messages/handler.ts';
import { decodedPath } from '#infra/local/gateway/gateway-event.ts';

export interface ServedRoute {
  /** The method as in `infra/routes.ts`; `ANY` matches every method. */
  readonly method: string;
  /** Path with parameters in braces: `{name}` matches one segment, `{name+}` matches all remaining segments. */
  readonly path: string;
  readonly handler: Handler;
  /** The function's name in `infra/routes.ts`; undefined for routes without a function. */
  readonly function?: string;
  /** The function's timeout in milliseconds. Routes without a function have only API Gateway's limit. */
  readonly timeoutMs?: number;
}

export interface MatchedRoute {
  readonly route: ServedRoute;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the route for a request as API Gateway does, by the decoded path. If several match, a literal segment precedes
 * a parameter, a parameter precedes `{name+}`, and a method precedes `ANY`.
 * @param path as the client sent it
 */
export function matchRoute(routes: readonly ServedRoute[], method: string, path: string): MatchedRoute | undefined {
  const decoded = decodedPath(path);
  const matches = routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .flatMap((route) => {
      const found = patternOf(route.path).exec(decoded);
      return found ? [{ route, pathParameters: { ...found.groups } }] : [];
    });
  return matches.toSorted((a, b) => vagueness(a) - vagueness(b))[0];
}

const patterns = new Map<string, RegExp>();

/**
 * Converts a route's path to a regular expression. A URLPattern would not do: it resolves `..` and percent-encodes, but
 * a path parameter may be any decoded text.
 */
function patternOf(path: string): RegExp {
  const known = patterns.get(path);
  if (known) return known;
  const parameters = RegExp.escape(path).replaceAll(/\\\{(\w+)(\\\+)?\\\}/g, (_, name: string, greedy?: string) =>
    greedy ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  );
  const pattern = new RegExp(`^${parameters}$`, 's');
  patterns.set(path, pattern);
  return pattern;
}

const GREEDY = 100;

/**
 * A number that is higher the more different requests a route matches. The route with the lowest number is used. The
 * path decides before the method.
 */
const vagueness = ({ route, pathParameters }: MatchedRoute): number =>
  (route.path.endsWith('+}') ? GREEDY : 0) + 2 * Object.keys(pathParameters).length + (route.method === 'ANY' ? 1 : 0);

import type { Handler } from '#lib/service/http/messages/handler.ts';
import { decodedPath } from '#infra/local/gateway/gateway-event.ts';

export interface ServedRoute {
  /** The method as in `infra/routes.ts`; `ANY` matches every method. */
  readonly method: string;
  /** Parameters in braces: `{name}` matches one segment, `{name+}` all remaining ones. */
  readonly path: string;
  readonly handler: Handler;
  /** The function's name in `infra/routes.ts`; undefined for routes without a function. */
  readonly function?: string;
  /** The function's timeout; undefined for routes without a function, which only API Gateway's limit applies to. */
  readonly timeoutMs?: number;
}

export interface MatchedRoute {
  readonly route: ServedRoute;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the route as API Gateway does: by the decoded path, preferring a literal segment to a parameter, a parameter to
 * a greedy one, and a method to `ANY`.
 * @param path as sent
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
 * The pattern is not a URLPattern, which resolves `..` and percent-encodes: a path parameter may be any decoded text.
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

/** The path takes precedence over the method. */
const vagueness = ({ route, pathParameters }: MatchedRoute): number =>
  (route.path.endsWith('+}') ? GREEDY : 0) + 2 * Object.keys(pathParameters).length + (route.method === 'ANY' ? 1 : 0);

import type { Handler } from '#lib/service/http/messages/handler.ts';
import { decodedPath } from '#infra/local/gateway/gateway-event.ts';

/** A route with the function that answers it. */
export interface ServedRoute {
  /** As in `infra/routes.ts`; `ANY` takes every method. */
  readonly method: string;
  /** Parameters in braces: `{name}` takes one segment, `{name+}` all that are left. */
  readonly path: string;
  readonly handler: Handler;
  /** The function's time-out; absent for routes without function, which only the gateway limits. */
  readonly timeoutMs?: number;
}

export interface MatchedRoute {
  readonly route: ServedRoute;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * The route for a request as API Gateway chooses it: by the decoded path, a literal segment before a parameter, that
 * before a greedy one, a method before `ANY`. @param path as it was sent
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

/** Not a URLPattern: it resolves `..` and percent-encodes, where a path parameter is any decoded text. */
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

/** The path has precedence over the method. */
const vagueness = ({ route, pathParameters }: MatchedRoute): number =>
  (route.path.endsWith('+}') ? GREEDY : 0) + 2 * Object.keys(pathParameters).length + (route.method === 'ANY' ? 1 : 0);

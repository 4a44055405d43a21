import type { Handler } from '#lib/service/triggers/http/handler.ts';
import { decodedPath } from '#infra/local/gateway-event.ts';

/** A route with the function that answers it. */
export interface ServedRoute {
  /** As in `infra/routes.ts`; `ANY` takes every method. */
  readonly method: string;
  /** Parameters in braces: `{name}` takes one segment, `{name+}` all that are left. */
  readonly path: string;
  readonly handler: Handler;
  /** When Lambda ends the function; absent for what is no function, on which the gateway alone sets an end. */
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
  const segments = decodedPath(path).split('/');
  const matches = routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .flatMap((route) => {
      const pathParameters = parametersOf(route.path.split('/'), segments);
      return pathParameters ? [{ route, pathParameters }] : [];
    });
  return matches.toSorted((a, b) => vagueness(a) - vagueness(b))[0];
}

function parametersOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const isGreedy = pattern.at(-1)!.endsWith('+}');
  if (isGreedy ? pattern.length > segments.length : pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const [, name, greedy] = /^\{(\w+)(\+?)\}$/.exec(expected) ?? [];
    const found = greedy ? segments.slice(index).join('/') : segments[index]!;
    if (name === undefined) {
      if (expected !== found) return undefined;
    } else {
      if (found === '') return undefined;
      parameters[name] = found;
    }
  }
  return parameters;
}

const GREEDY = 100;

/** A path weighs more than a method. */
const vagueness = ({ route, pathParameters }: MatchedRoute): number =>
  (route.path.endsWith('+}') ? GREEDY : 0) + 2 * Object.keys(pathParameters).length + (route.method === 'ANY' ? 1 : 0);

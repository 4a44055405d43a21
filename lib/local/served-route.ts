import type { Handler } from '#lib/http/handler.ts';

/** A route with the function that answers it. */
export interface ServedRoute {
  /** As in `infra/routes.ts`; `ANY` takes every method. */
  readonly method: string;
  /** Parameters in braces, each one segment long. */
  readonly path: string;
  readonly handler: Handler;
}

export interface MatchedRoute {
  readonly route: ServedRoute;
  /** Decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** The route for a request as API Gateway chooses it: a literal segment before a parameter, a method before `ANY`. */
export function matchRoute(routes: readonly ServedRoute[], method: string, path: string): MatchedRoute | undefined {
  const segments = path.split('/');
  const matches = routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .flatMap((route) => {
      const pathParameters = parametersOf(route.path.split('/'), segments);
      return pathParameters ? [{ route, pathParameters }] : [];
    });
  return matches.toSorted((a, b) => vagueness(a) - vagueness(b))[0];
}

function parametersOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index]!;
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name === undefined) {
      if (expected !== segment) return undefined;
    } else {
      if (segment === '') return undefined;
      parameters[name] = decoded(segment);
    }
  }
  return parameters;
}

/** A path weighs more than a method. */
const vagueness = ({ route, pathParameters }: MatchedRoute): number =>
  2 * Object.keys(pathParameters).length + (route.method === 'ANY' ? 1 : 0);

/** Text that is no valid percent-encoding stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

import { functionRoutes } from '#infra/local/gateway/function-routes.ts';
import { matchRoute } from '#infra/local/gateway/served-route.ts';
import type { Request } from '#test/live/caller.ts';
import { loadedFunction } from '#test/support/servers/functions.ts';
import { send, type TestReply } from '#test/support/callers/request.ts';

const { routes } = functionRoutes(loadedFunction);

/** Calls the function of a request in this process. @param at the time by the service's clock */
export function ask({ method = 'POST', path, key, body }: Request, at = new Date()): Promise<TestReply> {
  const { pathname, searchParams } = new URL(path, 'https://track.test');
  const found = matchRoute(routes, method, pathname);
  if (!found) throw new Error(`Nothing answers ${method} ${path}`);
  const query = searchParams.size > 0 ? Object.fromEntries(searchParams) : undefined;
  return send(found.route.handler, {
    method,
    path: pathname,
    pathParameters: found.pathParameters,
    query,
    key,
    body,
    at,
  });
}

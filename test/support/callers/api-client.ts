import { functionRoutes } from '#infra/local/gateway/function-routes.ts';
import { matchRoute } from '#infra/local/gateway/served-route.ts';
import { handlerOf, loadedFunction } from '#test/support/servers/functions.ts';
import { send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';

const { routes } = functionRoutes(loadedFunction);

type Options = Pick<TestRequest, 'at' | 'headers' | 'cookies' | 'ip' | 'isLeftAlone' | 'isBase64Encoded'>;

/** Calls the function of the route that matches the request. @param url path and query below the root */
async function ask(root: string, method: string, url: string, request: TestRequest): Promise<TestReply> {
  const { pathname, searchParams } = new URL(url, 'https://track.test');
  const path = root + pathname;
  const found = matchRoute(routes, method, path);
  return send(await handlerOf(found?.route), {
    method,
    path,
    pathParameters: found?.pathParameters,
    ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
    ...request,
  });
}

/** Returns a client of the API below this root path, which sends this token. */
export const apiClient = (root: string, key: string | undefined) => ({
  ask: (method: string, url: string, body?: unknown, options: Options = {}) =>
    ask(root, method, url, { key, body, ...options }),
  get: (url: string, options: Options = {}) => ask(root, 'GET', url, { key, ...options }),
  post: (url: string, body?: unknown, options: Options = {}) => ask(root, 'POST', url, { key, body, ...options }),
  patch: (url: string, body?: unknown, options: Options = {}) => ask(root, 'PATCH', url, { key, body, ...options }),
  put: (url: string, body?: unknown, options: Options = {}) => ask(root, 'PUT', url, { key, body, ...options }),
  delete: (url: string, options: Options = {}) => ask(root, 'DELETE', url, { key, ...options }),
});

export type ApiClient = ReturnType<typeof apiClient>;

import { matchRoute } from '#infra/local/served-route.ts';
import { functionRoutes } from '#infra/local/function-routes.ts';
import { loadedFunction } from '#test/support/functions.ts';
import { send, type TestReply, type TestRequest } from '#test/support/request.ts';

const ROOT = '/api/partner/v1';
const { routes, fallback } = await functionRoutes(loadedFunction);

type Options = Pick<TestRequest, 'at' | 'headers' | 'ip'>;

/** A request to the partner portal's API by its URL, to the function whose route it is. */
function ask(method: string, url: string, request: TestRequest): Promise<TestReply> {
  const { pathname, searchParams } = new URL(url, 'https://track.test');
  const path = ROOT + pathname;
  const found = matchRoute(routes, method, path);
  return send(found?.route.handler ?? fallback, {
    method,
    path,
    pathParameters: found?.pathParameters,
    ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
    ...request,
  });
}

/** A client of the partner portal's API with this token. @example `await portal(token).get('/me')` */
export const portal = (key?: string) => ({
  ask: (method: string, url: string, body?: unknown, options: Options = {}) =>
    ask(method, url, { key, body, ...options }),
  get: (url: string, options: Options = {}) => ask('GET', url, { key, ...options }),
  post: (url: string, body?: unknown, options: Options = {}) => ask('POST', url, { key, body, ...options }),
  patch: (url: string, body?: unknown, options: Options = {}) => ask('PATCH', url, { key, body, ...options }),
  put: (url: string, body?: unknown, options: Options = {}) => ask('PUT', url, { key, body, ...options }),
});

import { loadedFunction } from '#test/support/functions.ts';
import { functionRoutes } from '#infra/local/function-routes.ts';
import { matchRoute } from '#infra/local/served-route.ts';
import { send, type TestReply, type TestRequest } from '#test/support/request.ts';

const ROOT = '/api/dashboard/v1';
const { routes, fallback } = await functionRoutes(loadedFunction);

type Options = Pick<TestRequest, 'at' | 'headers' | 'cookies' | 'ip'>;

/** A request to the dashboard's API by its URL, to the function whose route it is. */
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

/** A client of the dashboard's API with this token. @example `await dashboard(token).patch('/programs/1', { name })` */
export const dashboard = (key?: string) => ({
  ask: (method: string, url: string, body?: unknown) => ask(method, url, { key, body }),
  get: (url: string, options: Options = {}) => ask('GET', url, { key, ...options }),
  post: (url: string, body?: unknown, options: Options = {}) => ask('POST', url, { key, body, ...options }),
  patch: (url: string, body?: unknown, options: Options = {}) => ask('PATCH', url, { key, body, ...options }),
  put: (url: string, body?: unknown, options: Options = {}) => ask('PUT', url, { key, body, ...options }),
  delete: (url: string, options: Options = {}) => ask('DELETE', url, { key, ...options }),
});

export type Dashboard = ReturnType<typeof dashboard>;

/** Rows of a list, page after page. @param url with `limit` and filters as wanted */
export async function everyPage(user: Dashboard, url: string): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  let next = '';
  do {
    const separator = url.includes('?') ? '&' : '?';
    const { status, body } = await user.get(`${url}${next && `${separator}cursor=${next}`}`);
    if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
    pages.push(body.data);
    next = body.meta.next_cursor ?? '';
  } while (next);
  return pages;
}

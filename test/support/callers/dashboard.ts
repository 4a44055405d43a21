import { type ApiClient, apiClient } from '#test/support/callers/api-client.ts';

/** A client of the dashboard API with this token. @example `await dashboard(token).patch('/programs/1', { name })` */
export const dashboard = (key?: string) => apiClient('/api/dashboard/v1', key);

export type Dashboard = ApiClient;

/** All rows of a list, page after page. @param url with `limit` and filters */
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

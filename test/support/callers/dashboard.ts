import { type ApiClient, apiClient } from '#test/support/callers/api-client.ts';

/**
 * Returns a client of the dashboard API that sends this token.
 * @example `await dashboard(token).patch('/programs/1', { name })`
 */
export const dashboard = (key?: string) => apiClient('/api/dashboard/v1', key);

export type Dashboard = ApiClient;

/** Reads all pages of a list. @param url with `limit` and filters @returns the rows of each page */
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

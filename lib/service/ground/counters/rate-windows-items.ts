import type { RateWindow } from '#lib/service/ground/values/rate-limits.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/**
 * Adds one or more requests to the count of a rate limit's window.
 * @returns the number of requests in the window, including these
 */
export async function countRequest(
  table: Table,
  group: string,
  identity: string,
  { startSeconds, resetSeconds }: RateWindow,
  requests = 1,
): Promise<number> {
  const { count } = await table.update<{ count: number }>(keys.rateWindow(group, identity, startSeconds), {
    add: { count: requests },
    set: { expires_at: resetSeconds },
  });
  return count;
}

import type { RateWindow } from '#lib/domain/rate-limits.ts';
import { keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';

/** Counts one request. @returns the requests in the window, this one included */
export async function countRequest(
  table: Table,
  group: string,
  identity: string,
  { startSeconds, resetSeconds }: RateWindow,
): Promise<number> {
  const { count } = await table.update<{ count: number }>(keys.rateWindow(group, identity, startSeconds), {
    add: { count: 1 },
    set: { expires_at: resetSeconds },
  });
  return count;
}

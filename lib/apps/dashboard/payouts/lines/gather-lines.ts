import type { Api, Query } from '#lib/apps/web/api/api.ts';
import { type Gathered, gatherRows, type Task } from '#lib/apps/web/api/gather-rows.ts';
import type { LineStatus } from '#lib/wire/earnings/line-status.ts';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';

/** Loads the lines of a payout that have these statuses, at most 10,000 of each status. @throws ApiError */
export async function gatherLines(
  api: Pick<Api, 'answer'>,
  path: string,
  filters: Query,
  statuses: readonly LineStatus[],
  { onCount, signal }: Task,
): Promise<Gathered<PayoutLine>> {
  const rows: PayoutLine[] = [];
  let isWhole = true;
  for (const status of statuses) {
    const before = rows.length;
    const onMore = (count: number) => onCount(before + count);
    const found = await gatherRows<PayoutLine>(api, path, { ...filters, status }, { onCount: onMore, signal });
    rows.push(...found.rows);
    isWhole &&= found.isWhole;
  }
  return { rows, isWhole };
}

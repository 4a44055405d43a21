import type { Answer, Api } from '#lib/apps/web/api/api.ts';

const MOST = 25;
/** Maximum number of requests. For a long list, one request searches only a part of it. */
const MOST_PARTS = 5;

/**
 * Loads how many rows with a status wait for a decision: `3`, or `25+` if there are more; undefined if none.
 * @throws ApiError
 */
export async function loadWaiting(api: Api, path: string, status: string): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let part = 1; part <= MOST_PARTS; part++) {
    const query = { status, limit: MOST, cursor };
    const { data, meta }: Answer<readonly unknown[]> = await api.answer(path, query);
    cursor = meta?.next_cursor ?? undefined;
    if (data.length > 0) return `${data.length}${cursor === undefined ? '' : '+'}`;
    if (cursor === undefined) break;
  }
  return undefined;
}

import type { Answer } from '#lib/apps/dashboard/api.ts';

/** As many as a page of the API has. */
const PAGE = 25;
/** Requests for one page: with a filter the API may answer short pages, or empty ones, before the list is at its end. */
const MOST_REQUESTS = 10;

/** The next page of a list, gathered from short ones. @param after cursor of the page before. @throws ApiError */
export async function nextPage<T>(
  pageAfter: (cursor: string | undefined) => Promise<Answer<readonly T[]>>,
  after?: string,
): Promise<{ readonly items: readonly T[]; readonly cursor?: string }> {
  const items: T[] = [];
  let cursor = after;
  for (let made = 0; made < MOST_REQUESTS; made++) {
    const { data, meta } = await pageAfter(cursor);
    items.push(...data);
    cursor = meta?.next_cursor ?? undefined;
    if (cursor === undefined || items.length >= PAGE) break;
  }
  return { items, cursor };
}

import type { Answer } from '#lib/apps/web/api/api.ts';

/** Number of rows in a reply if the request names none. */
const PAGE = 25;
/**
 * Maximum number of requests for one page. With a filter, a reply may contain few rows or none although more rows
 * follow.
 */
const MOST_REQUESTS = 10;

export interface NextPage<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
  /** Number of rows of the whole list, if it is sorted. */
  readonly sortedOf?: number;
}

/**
 * Loads the next page of a list. If replies contain few rows, several of them become one page.
 * @param after cursor from the previous page
 * @param atLeast the number of rows to load, unless the maximum number of requests is reached before
 * @throws ApiError
 */
export async function nextPage<T>(
  pageAfter: (cursor: string | undefined) => Promise<Answer<readonly T[]>>,
  after?: string,
  atLeast = PAGE,
): Promise<NextPage<T>> {
  const items: T[] = [];
  let cursor = after;
  let sortedOf: number | undefined;
  for (let made = 0; made < MOST_REQUESTS; made++) {
    const { data, meta } = await pageAfter(cursor);
    items.push(...data);
    cursor = meta?.next_cursor ?? undefined;
    sortedOf = meta?.sorted_of;
    if (cursor === undefined || items.length >= atLeast) break;
  }
  return { items, cursor, sortedOf };
}

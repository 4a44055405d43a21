import type { Answer } from '#lib/apps/web/api.ts';

/** As many as a page of the API has. */
const PAGE = 25;
/** Requests for one page: with a filter the API may answer short pages, or empty ones, before the list is at its end. */
const MOST_REQUESTS = 10;

export interface NextPage<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
  /** How many rows a sorted list has in all. */
  readonly sortedOf?: number;
}

/**
 * The next page of a list, gathered from short ones.
 * @param after cursor of the page before
 * @param atLeast goes on until there are as many rows, within the number of requests
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

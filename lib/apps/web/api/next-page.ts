import type { Answer } from '#lib/apps/web/api/api.ts';

/** The API's default page size. */
const PAGE = 25;
/** Maximum requests per page: with a filter the API may return short or empty pages before the end of the list. */
const MOST_REQUESTS = 10;

export interface NextPage<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
  /** Length of the whole list if it is sorted. */
  readonly sortedOf?: number;
}

/**
 * The next page of a list, combined from several replies if these are short.
 * @param after cursor from the previous page
 * @param atLeast continues until there are this many rows, within the maximum number of requests
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

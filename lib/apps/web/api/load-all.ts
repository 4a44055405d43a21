import type { Answer, Api, Query } from '#lib/apps/web/api/api.ts';

/** Maximum number of rows in one reply. */
export const LONGEST_PAGE = 100;

/** Reads a list page by page. @param answer requests one page. @throws ApiError */
export async function* pagesOf<T>(
  answer: (query: Query) => Promise<Answer<readonly T[]>>,
): AsyncGenerator<readonly T[]> {
  let cursor: string | undefined;
  do {
    const { data, meta } = await answer({ limit: LONGEST_PAGE, cursor });
    cursor = meta?.next_cursor ?? undefined;
    yield data;
  } while (cursor !== undefined);
}

/**
 * Loads a complete list. Use it for short lists such as choices in a form, not for lists without limit.
 * @throws ApiError
 */
export async function loadAll<T>(api: Api, path: string, filters: Query = {}): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const page of pagesOf<T>((of) => api.answer(path, { ...filters, ...of }))) items.push(...page);
  return items;
}

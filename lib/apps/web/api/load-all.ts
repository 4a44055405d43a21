import type { Answer, Api, Query } from '#lib/apps/web/api/api.ts';

/** Maximum rows per request. */
export const LONGEST_PAGE = 100;

/** A list, page by page. @param answer requests one page. @throws ApiError */
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

/** A complete list. For lists of choices, not for unbounded ones. @throws ApiError */
export async function loadAll<T>(api: Api, path: string, filters: Query = {}): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const page of pagesOf<T>((of) => api.answer(path, { ...filters, ...of }))) items.push(...page);
  return items;
}

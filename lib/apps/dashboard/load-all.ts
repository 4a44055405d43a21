import type { Api } from '#lib/apps/dashboard/api.ts';

const LONGEST_PAGE = 100;

/** A whole list, over all pages. For lists to choose from, not for unbounded ones. @throws ApiError */
export async function loadAll<T>(
  api: Api,
  path: string,
  filters: Readonly<Record<string, string>> = {},
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const { data, meta } = await api.answer<readonly T[]>(path, { ...filters, limit: LONGEST_PAGE, cursor });
    items.push(...data);
    cursor = meta?.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

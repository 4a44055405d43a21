import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorFrom, type ApiError } from '#lib/apps/web/api/api-error.ts';
import type { Api, Query } from '#lib/apps/web/api/api.ts';
import { leftLists } from '#lib/apps/web/forms/left-lists.ts';
import { LONGEST_PAGE } from '#lib/apps/web/api/load-all.ts';
import { nextPage, type NextPage } from '#lib/apps/web/api/next-page.ts';

/** A list that is loaded page by page. */
export interface Pages<T> {
  /** The rows loaded so far; undefined until the first page is loaded. */
  readonly items?: readonly T[];
  /** True while the items still belong to the previous filters. */
  readonly isOutdated: boolean;
  readonly hasMore: boolean;
  /** Length of the whole list if it is sorted; at most the 1,000 oldest rows are compared. */
  readonly sortedOf?: number;
  readonly isPending: boolean;
  readonly error?: ApiError;
  readonly more: () => void;
  /** Retries a failed request. */
  readonly retry: () => void;
  readonly reload: () => Promise<void>;
  /** Replaces a row, for example with the reply of an action. */
  readonly replace: (matches: (item: T) => boolean, item: T) => void;
}

interface State<T> {
  readonly path: string;
  readonly page?: NextPage<T>;
  /** The filters that the page belongs to. */
  readonly filters?: string;
  readonly isPending: boolean;
  readonly error?: ApiError;
}

/**
 * Loads a list page by page. After the browser's Back button, the list shows the rows that were loaded before and
 * reloads as many.
 * @param query filters; after a change, the list starts again, and shows the old rows until the new ones are loaded
 */
export function usePages<T>(api: Api, path: string, query: Query = {}): Pages<T> {
  const filters = JSON.stringify(query);
  const list = `${path} ${filters}`;
  const [entry] = useState(leftLists.entry);
  const [left] = useState(() => leftLists.find<T>(entry, list));
  const [state, setState] = useState<State<T>>({ path, isPending: true, ...(left && { page: left.page, filters }) });
  const latest = useRef(0);
  const attempted = useRef(() => {});
  const leave = useRef(() => {});
  leave.current = () => {
    if (state.page && state.filters === filters) leftLists.keep(entry, list, { page: state.page, scrollY });
  };

  const load = useCallback(
    async (cursor?: string, atLeast?: number) => {
      const own = ++latest.current;
      attempted.current = () => void load(cursor, atLeast);
      setState((current) => ({ ...current, isPending: true, error: undefined }));
      const sent = JSON.parse(filters) as Query;
      const limit = atLeast && LONGEST_PAGE;
      const pageAfter = (after?: string) => api.answer<readonly T[]>(path, { ...sent, cursor: after, limit });
      const next = await nextPage(pageAfter, cursor, atLeast).then(
        (page) => (before: State<T>) => ({ ...before, page: cursor ? appended(before.page, page) : page, filters }),
        (error: unknown) => (before: State<T>) => ({ ...before, error: errorFrom(error) }),
      );
      if (own === latest.current) setState((current) => ({ ...next(current), isPending: false }));
    },
    [api, path, filters],
  );

  useEffect(() => {
    // Rows of another list must not be shown as outdated rows of this one.
    setState((current) => (current.path === path ? current : { path, isPending: true }));
    const isBack = left !== undefined && latest.current === 0;
    void load(undefined, isBack ? left.page.items.length : undefined);
    return () => {
      latest.current++;
    };
  }, [load]);

  // The effect runs before the browser paints, and before the previous page is removed.
  useLayoutEffect(() => {
    if (left) scrollTo(0, left.scrollY);
    return () => leave.current();
  }, []);

  const isOutdated = state.filters !== filters;
  const { isPending, error } = state;
  // If loading fails, the old rows must not look like results of the new filters.
  const page = state.path === path && !(isOutdated && error) ? state.page : undefined;
  return {
    items: page?.items,
    isOutdated,
    isPending: isPending || (isOutdated && !error),
    error,
    hasMore: page?.cursor !== undefined && !isOutdated,
    sortedOf: page?.sortedOf,
    more: () => void load(page?.cursor),
    retry: () => attempted.current(),
    reload: () => load(),
    replace: (matches, item) =>
      setState((current) => ({
        ...current,
        page: current.page && { ...current.page, items: current.page.items.map((one) => (matches(one) ? item : one)) },
      })),
  };
}

const appended = <T>(before: NextPage<T> | undefined, next: NextPage<T>): NextPage<T> => ({
  ...next,
  items: [...(before?.items ?? []), ...next.items],
});

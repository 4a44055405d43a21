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
  /** True while the rows are those of the former filters. */
  readonly isOutdated: boolean;
  readonly hasMore: boolean;
  /** Number of rows of the whole list, if it is sorted. Of a longer list, only the 10,000 oldest rows are sorted. */
  readonly sortedOf?: number;
  readonly isPending: boolean;
  readonly error?: ApiError;
  readonly more: () => void;
  /** Repeats the request that failed. */
  readonly retry: () => void;
  readonly reload: () => Promise<void>;
  /** Replaces the matching row, for example with the reply of an action. */
  readonly replace: (matches: (item: T) => boolean, item: T) => void;
}

interface State<T> {
  readonly path: string;
  readonly page?: NextPage<T>;
  /** The filters with which the rows were loaded. */
  readonly filters?: string;
  readonly isPending: boolean;
  readonly error?: ApiError;
}

/**
 * Loads a list page by page. If the person comes back by the browser's Back button, the list first shows the rows that
 * it had before, and then loads the same number of rows again.
 * @param query the filters. If they change, the list begins at its first page; the old rows are shown until the new
 * ones are loaded
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
    // If another list is opened, the rows of the former list are removed at once. If only the filters change, they stay
    // until the new rows are loaded.
    setState((current) => (current.path === path ? current : { path, isPending: true }));
    const isBack = left !== undefined && latest.current === 0;
    void load(undefined, isBack ? left.page.items.length : undefined);
    return () => {
      latest.current++;
    };
  }, [load]);

  // A layout effect restores the scroll position before the browser paints. Its cleanup stores the position before the
  // page's elements are removed.
  useLayoutEffect(() => {
    if (left) scrollTo(0, left.scrollY);
    return () => leave.current();
  }, []);

  const isOutdated = state.filters !== filters;
  const { isPending, error } = state;
  // If loading with the new filters fails, the old rows are removed, because they would look like the result.
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

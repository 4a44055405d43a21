import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorFrom, type ApiError } from '#lib/apps/web/api-error.ts';
import type { Api, Query } from '#lib/apps/web/api.ts';
import { leftLists } from '#lib/apps/web/left-lists.ts';
import { LONGEST_PAGE } from '#lib/apps/web/load-all.ts';
import { nextPage, type NextPage } from '#lib/apps/web/next-page.ts';

/** A list that comes in pages. */
export interface Pages<T> {
  /** Undefined until the first page is there. */
  readonly items?: readonly T[];
  /** The items are those of the former filters: the new ones are on their way. */
  readonly isOutdated: boolean;
  readonly hasMore: boolean;
  /** How many rows a sorted list has in all; it compares at most the 1,000 oldest. */
  readonly sortedOf?: number;
  readonly isPending: boolean;
  readonly error?: ApiError;
  readonly more: () => void;
  /** Asks again for what could not be had. */
  readonly retry: () => void;
  readonly reload: () => Promise<void>;
  /** Puts what an action answered into its row. */
  readonly replace: (matches: (item: T) => boolean, item: T) => void;
}

interface State<T> {
  readonly path: string;
  readonly page?: NextPage<T>;
  /** The filters that the page is of. */
  readonly filters?: string;
  readonly isPending: boolean;
  readonly error?: ApiError;
}

/**
 * By the browser's Back button a list shows the rows that were loaded before, and asks for as many again.
 * @param query its filters; with other ones the list begins anew, and shows what it had until that is there
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
    // Rows of another list are not even former ones of this.
    setState((current) => (current.path === path ? current : { path, isPending: true }));
    const isBack = left !== undefined && latest.current === 0;
    void load(undefined, isBack ? left.page.items.length : undefined);
    return () => {
      latest.current++;
    };
  }, [load]);

  // Before the next picture, and before the page that is left is gone.
  useLayoutEffect(() => {
    if (left) scrollTo(0, left.scrollY);
    return () => leave.current();
  }, []);

  const isOutdated = state.filters !== filters;
  const { isPending, error } = state;
  // What could not be loaded must not be taken for what the filters found.
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

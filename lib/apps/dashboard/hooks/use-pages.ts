import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { errorFrom, type ApiError } from '#lib/apps/dashboard/api-error.ts';
import type { Api, Query } from '#lib/apps/dashboard/api.ts';
import { nextPage } from '#lib/apps/dashboard/next-page.ts';

/** A list that comes in pages. */
export interface Pages<T> {
  /** Undefined until the first page is there. */
  readonly items?: readonly T[];
  readonly hasMore: boolean;
  readonly isPending: boolean;
  readonly error?: ApiError;
  readonly more: () => void;
  readonly reload: () => Promise<void>;
  /** Puts what an action answered into its row. */
  readonly replace: (matches: (item: T) => boolean, item: T) => void;
}

interface State<T> {
  readonly items?: readonly T[];
  readonly cursor?: string;
  readonly isPending: boolean;
  readonly error?: ApiError;
}

/** @param query its filters; with other ones the list begins anew */
export function usePages<T>(api: Api, path: string, query: Query = {}): Pages<T> {
  const [state, setState] = useState<State<T>>({ isPending: true });
  const latest = useRef(0);
  const filters = JSON.stringify(query);

  const load = useCallback(
    async (before: readonly T[], cursor?: string) => {
      const own = ++latest.current;
      setState((current) => ({ ...current, isPending: true, error: undefined }));
      const sent = JSON.parse(filters) as Query;
      const next = await nextPage((after) => api.answer<readonly T[]>(path, { ...sent, cursor: after }), cursor).then(
        (page): Partial<State<T>> => ({ items: [...before, ...page.items], cursor: page.cursor }),
        (error: unknown): Partial<State<T>> => ({ error: errorFrom(error) }),
      );
      if (own === latest.current) setState((current) => ({ ...current, ...next, isPending: false }));
    },
    [api, path, filters],
  );

  useEffect(() => {
    setState({ isPending: true });
    void load([]);
    return () => {
      latest.current++;
    };
  }, [load]);

  const { items, cursor, isPending, error } = state;
  return {
    items,
    isPending,
    error,
    hasMore: cursor !== undefined,
    more: () => void load(items ?? [], cursor),
    reload: () => load([]),
    replace: (matches, item) =>
      setState((current) => ({ ...current, items: current.items?.map((one) => (matches(one) ? item : one)) })),
  };
}

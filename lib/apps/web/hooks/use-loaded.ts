import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorFrom, type ApiError } from '#lib/apps/web/api-error.ts';

/** A loaded value: pending, present or failed. */
type Loaded<T> =
  | { readonly state: 'loading'; readonly error?: undefined }
  | { readonly state: 'failed'; readonly error: ApiError }
  | {
      readonly state: 'ready';
      readonly value: T;
      /** Why it could not be reloaded. */
      readonly error?: ApiError;
    };

export type Reloadable<T> = Loaded<T> & {
  /** Asks again; what was there stays until there is something newer, even when that cannot be had. */
  readonly reload: () => Promise<void>;
};

export type Loading<T> = Reloadable<T> & {
  /** Puts what an action answered in its place. */
  readonly replace: (value: T) => void;
};

/** @param inputs asks again, from the start, when one of them changes */
export function useLoaded<T>(load: () => Promise<T>, inputs: readonly unknown[]): Loading<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const asked = useRef(0);
  const shown = useRef(0);

  const reload = useCallback(async () => {
    const own = ++asked.current;
    const next = await load().then(
      (value): Loaded<T> => ({ state: 'ready', value }),
      (error: unknown): Loaded<T> => ({ state: 'failed', error: errorFrom(error) }),
    );
    // Ignores replies to outdated requests.
    if (own <= shown.current) return;
    shown.current = own;
    setLoaded((before) =>
      next.state === 'failed' && before.state === 'ready' ? { ...before, error: next.error } : next,
    );
  }, inputs);

  // Before the browser paints: what is asked for should not wait for a frame.
  useLayoutEffect(() => {
    setLoaded((before) => (before.state === 'loading' ? before : { state: 'loading' }));
    void reload();
    return () => {
      shown.current = asked.current;
    };
  }, [reload]);
  function replace(value: T): void {
    // Replies to requests that are under way are older.
    shown.current = asked.current;
    setLoaded({ state: 'ready', value });
  }
  return { ...loaded, reload, replace };
}

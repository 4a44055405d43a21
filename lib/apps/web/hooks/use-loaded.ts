import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorFrom, type ApiError } from '#lib/apps/web/api/api-error.ts';

/** A value that is being loaded, has been loaded, or could not be loaded. */
type Loaded<T> =
  | { readonly state: 'loading'; readonly error?: undefined }
  | { readonly state: 'failed'; readonly error: ApiError }
  | {
      readonly state: 'ready';
      readonly value: T;
      /** The error of the last reload, if it failed. */
      readonly error?: ApiError;
    };

export type Reloadable<T> = Loaded<T> & {
  /** Loads the value again. The old value stays until the new one arrives, and also if loading fails. */
  readonly reload: () => Promise<void>;
};

export type Loading<T> = Reloadable<T> & {
  /** Replaces the value, for example with the reply of an action. */
  readonly replace: (value: T) => void;
};

/**
 * Loads a value when the component is first shown.
 * @param inputs if any of them changes, the value is removed and loaded again
 */
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
    // A later request has already been answered, so this reply is outdated.
    if (own <= shown.current) return;
    shown.current = own;
    setLoaded((before) =>
      next.state === 'failed' && before.state === 'ready' ? { ...before, error: next.error } : next,
    );
  }, inputs);

  // A layout effect sends the request before the browser paints, and so does not lose the time of a frame.
  useLayoutEffect(() => {
    setLoaded((before) => (before.state === 'loading' ? before : { state: 'loading' }));
    void reload();
    return () => {
      shown.current = asked.current;
    };
  }, [reload]);
  function replace(value: T): void {
    // Requests that are still waiting would reply with older values than this one, so their replies are ignored.
    shown.current = asked.current;
    setLoaded({ state: 'ready', value });
  }
  return { ...loaded, reload, replace };
}

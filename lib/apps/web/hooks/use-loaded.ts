import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorFrom, type ApiError } from '#lib/apps/web/api/api-error.ts';

/** A loaded value: pending, present or failed. */
type Loaded<T> =
  | { readonly state: 'loading'; readonly error?: undefined }
  | { readonly state: 'failed'; readonly error: ApiError }
  | {
      readonly state: 'ready';
      readonly value: T;
      /** Why the last reload failed. */
      readonly error?: ApiError;
    };

export type Reloadable<T> = Loaded<T> & {
  /** Loads again. The old value stays until there is a new one, also if loading fails. */
  readonly reload: () => Promise<void>;
};

export type Loading<T> = Reloadable<T> & {
  /** Replaces the value, for example with the reply of an action. */
  readonly replace: (value: T) => void;
};

/** Loads a value when the component is shown. @param inputs a change of any of them clears the value and loads again */
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

  // The effect runs before the browser paints, so that the request does not wait for a frame.
  useLayoutEffect(() => {
    setLoaded((before) => (before.state === 'loading' ? before : { state: 'loading' }));
    void reload();
    return () => {
      shown.current = asked.current;
    };
  }, [reload]);
  function replace(value: T): void {
    // Replies to pending requests are older and will be ignored.
    shown.current = asked.current;
    setLoaded({ state: 'ready', value });
  }
  return { ...loaded, reload, replace };
}

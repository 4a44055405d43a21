import { useRef, useState } from 'preact/hooks';
import { errorFrom, type ApiError } from '#lib/apps/web/api/api-error.ts';

/** An action that the person can start. */
export interface Action<Args extends readonly unknown[]> {
  /** Starts the action. While it is running, further calls do nothing, so a double click sends one request. */
  readonly run: (...args: Args) => void;
  readonly isPending: boolean;
  readonly error?: ApiError;
}

export function useAction<Args extends readonly unknown[]>(act: (...args: Args) => Promise<void>): Action<Args> {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<ApiError>();
  const isUnderWay = useRef(false);

  async function run(...args: Args): Promise<void> {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setPending(true);
    setError(undefined);
    try {
      await act(...args);
    } catch (cause) {
      setError(errorFrom(cause));
    } finally {
      isUnderWay.current = false;
      setPending(false);
    }
  }
  return { run: (...args) => void run(...args), isPending, error };
}

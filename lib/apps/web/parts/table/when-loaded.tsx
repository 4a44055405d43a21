import type { ComponentChildren } from 'preact';
import type { Reloadable } from '#lib/apps/web/hooks/use-loaded.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';

interface WhenLoadedProps<T> {
  readonly of: Reloadable<T>;
  /** What is loaded, if the page loads several parts. */
  readonly what?: string;
  /** What is shown while the value is being loaded. */
  readonly pending?: ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/**
 * Shows a value when it is loaded, and a placeholder before. If a reload fails, the old value stays, below the error.
 */
export function WhenLoaded<T>({ of, what, pending = <Skeleton />, children }: WhenLoadedProps<T>) {
  if (of.state === 'loading') return <>{pending}</>;
  return (
    <>
      {of.error && <Failure error={of.error} onRetry={() => void of.reload()} what={what} />}
      {of.state === 'ready' && children(of.value)}
    </>
  );
}

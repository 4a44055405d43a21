import type { ComponentChildren } from 'preact';
import type { Reloadable } from '#lib/apps/web/hooks/use-loaded.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';

interface WhenLoadedProps<T> {
  readonly of: Reloadable<T>;
  /** What is loaded, for pages that load several parts. */
  readonly what?: string;
  /** The content that is shown while the value is loading. */
  readonly pending?: ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/** Renders a value once it is loaded, and a placeholder before that. If reloading failed, shows the error above it. */
export function WhenLoaded<T>({ of, what, pending = <Skeleton />, children }: WhenLoadedProps<T>) {
  if (of.state === 'loading') return <>{pending}</>;
  return (
    <>
      {of.error && <Failure error={of.error} onRetry={() => void of.reload()} what={what} />}
      {of.state === 'ready' && children(of.value)}
    </>
  );
}

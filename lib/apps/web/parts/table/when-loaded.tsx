import type { ComponentChildren } from 'preact';
import type { Reloadable } from '#lib/apps/web/hooks/use-loaded.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';

interface WhenLoadedProps<T> {
  readonly of: Reloadable<T>;
  /** Shown until then. */
  readonly pending?: ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/** Draws what was asked for once it is there, and until then its outline. Above it, why it is not the newest. */
export function WhenLoaded<T>({ of, pending = <Skeleton />, children }: WhenLoadedProps<T>) {
  if (of.state === 'loading') return <>{pending}</>;
  return (
    <>
      {of.error && <Failure error={of.error} onRetry={() => void of.reload()} />}
      {of.state === 'ready' && children(of.value)}
    </>
  );
}

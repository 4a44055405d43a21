import type { ComponentChildren } from 'preact';
import type { Loading } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { Failure } from '#lib/apps/dashboard/parts/failure.tsx';
import { Spinner } from '#lib/apps/dashboard/parts/spinner.tsx';

interface WhenLoadedProps<T> {
  readonly of: Loading<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Draws what was asked for once it is there; until then, or instead, says so. Above it, why it is not the newest. */
export function WhenLoaded<T>({ of, children }: WhenLoadedProps<T>) {
  if (of.state === 'loading') return <Spinner />;
  return (
    <>
      {of.error && <Failure error={of.error} onRetry={() => void of.reload()} />}
      {of.state === 'ready' && children(of.value)}
    </>
  );
}

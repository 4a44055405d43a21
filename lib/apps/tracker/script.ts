import { startTracker, type Tracker } from '#lib/apps/tracker/tracker.ts';

/** A call of a tracker method: the name of the method, and its arguments. */
type QueuedCall = readonly [name: string, ...args: never[]];

/**
 * Calls that the page makes before the tracker has loaded. The page's own queue is an array, which the tracker
 * replaces.
 */
interface CallQueue {
  readonly forEach: QueuedCall[]['forEach'];
  push: (...calls: QueuedCall[]) => unknown;
}

declare global {
  interface Window {
    service?: Tracker;
    serviceQueue?: CallQueue;
    SERVICE_PROGRAM_ID?: number | string;
  }
}

// A page may include the script twice; the second time it does nothing, so that only one click is sent.
if (!window.service?.loaded) {
  // `currentScript` is null in a module, and if a loader evaluates the script itself. Such pages set the options with
  // `init`.
  const { dataset = {}, src = location.href } = (document.currentScript ?? {}) as Partial<HTMLScriptElement>;
  const tracker = startTracker(
    {
      programId: dataset.serviceProgramId || window.SERVICE_PROGRAM_ID,
      debug: (dataset.serviceDebug ?? 'false') !== 'false',
      cookieDomain: dataset.serviceCookieDomain,
      keepQuery: dataset.serviceKeepQuery,
      linkParameters: dataset.serviceLinkParameters,
      apiBase: dataset.serviceApiBase || new URL(src).origin,
    },
    window,
  );
  const run = (call: QueuedCall): void => {
    try {
      const [name, ...args] = call;
      (tracker as unknown as Record<string, (...args: never[]) => unknown>)[name]!(...args);
    } catch (error) {
      // oxlint-disable-next-line no-console -- it is the page's console
      console.error('[Affiliate]', 'serviceQueue:', error);
    }
  };

  window.service = tracker;
  const queue = (window.serviceQueue ||= [] as QueuedCall[]);
  queue.forEach(run);
  queue.push = (...calls) => calls.forEach(run);
}

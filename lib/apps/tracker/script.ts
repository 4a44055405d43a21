import { startTracker, type Tracker } from '#lib/apps/tracker/tracker.ts';

/** The name of a tracker method and its arguments. */
type QueuedCall = readonly [name: string, ...args: never[]];

/** The page's queue of calls. It is an array until the script has loaded. */
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

// If a page includes the script twice, there is one tracker and one click.
if (!window.service?.loaded) {
  // `currentScript` is null in a module, and for a loader that evaluates scripts itself: such pages call init.
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

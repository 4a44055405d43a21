import { type Page, startTracker, type Tracker, type TrackerOptions } from '#lib/apps/tracker/tracker.ts';

export type { Tracker, TrackerOptions };

/**
 * Starts the tracker, for pages that are built with a bundler. Call it once, when the page loads.
 *
 *     const tracker = createTracker({ programId: 430, apiBase: 'https://ref.example.com' });
 *     await tracker.signup('user_123', 'jo@example.com');
 *
 * During server-side rendering there is no visitor, so the tracker sends nothing.
 */
export const createTracker = (options: TrackerOptions): Tracker =>
  startTracker({ ...options }, globalThis.window ?? noPage());

const noPage = (): Page => ({
  addEventListener() {},
  console,
  document: { cookie: '', referrer: '' },
  fetch: () => Promise.reject(new Error('There is no visitor here. From a server, send leads with the program key.')),
  location: { href: 'about:blank', hostname: '', origin: '', protocol: '' },
});

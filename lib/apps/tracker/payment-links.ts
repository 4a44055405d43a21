// Adds the visitor's click id to Stripe's Payment Links, pricing tables and buy buttons, which accept no metadata. This
// script reads only the tracker's cookie, so it can be loaded before or after the tracker.

const PARAMETER = 'client_reference_id';
const ATTRIBUTE = 'client-reference-id';

/** Minimum time between two searches of the page, even if the page changes continuously. */
const PAUSE_MS = 250;

const hosts = new Set([
  'buy.stripe.com',
  ...(document.currentScript?.dataset.serviceHosts ?? '').toLowerCase().split(/[\s,]+/),
]);

/** The click id from the cookie; undefined if there is none, or if it contains characters that Stripe refuses. */
function clickId(): string | undefined {
  try {
    return document.cookie.match(/(?:^|; )service_click_id=([\w-]+)(?:;|$)/)?.[1];
  } catch {
    // The page is a frame that may not use cookies, so there is no click id.
    return undefined;
  }
}

let timer: number | undefined;

/** Schedules a search of the page, unless one is scheduled already. */
function later(): void {
  timer ??= window.setTimeout(run, PAUSE_MS);
}

function run(): void {
  timer = undefined;
  const id = clickId();
  // The tracker may set the cookie later, and browsers do not report new cookies, so this is tried again.
  if (!id) return later();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a,area')) {
    // A link in an SVG, or one whose address is invalid, has no host.
    if (link.protocol !== 'https:' || !hosts.has(link.host)) continue;
    // The parameter is added to the query as text, because a parsed query could be encoded differently.
    if (!new URLSearchParams(link.search).has(PARAMETER)) link.search += `${link.search ? '&' : '?'}${PARAMETER}=${id}`;
  }
  for (const element of document.querySelectorAll('stripe-pricing-table,stripe-buy-button')) {
    if (!element.hasAttribute(ATTRIBUTE)) element.setAttribute(ATTRIBUTE, id);
  }
}

run();
new MutationObserver(later).observe(document, {
  subtree: true,
  childList: true,
  attributeFilter: ['href', ATTRIBUTE],
});

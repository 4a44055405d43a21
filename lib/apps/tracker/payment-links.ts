// Adds the click id to Stripe's Payment Links, pricing tables and buy buttons, which take no metadata. It is a separate
// script that only needs the tracker's cookie, so neither script waits for the other.

const PARAMETER = 'client_reference_id';
const ATTRIBUTE = 'client-reference-id';

/** Minimum interval between searches of a page that changes continuously. */
const PAUSE_MS = 250;

const hosts = new Set([
  'buy.stripe.com',
  ...(document.currentScript?.dataset.serviceHosts ?? '').toLowerCase().split(/[\s,]+/),
]);

/** The click id from the cookie; a value that Stripe would not accept counts as absent. */
function clickId(): string | undefined {
  try {
    return document.cookie.match(/(?:^|; )service_click_id=([\w-]+)(?:;|$)/)?.[1];
  } catch {
    // The frame may not use cookies, so there is no click id.
    return undefined;
  }
}

let timer: number | undefined;

/** Schedules one update; further calls before it have no effect. */
function later(): void {
  timer ??= window.setTimeout(run, PAUSE_MS);
}

function run(): void {
  timer = undefined;
  const id = clickId();
  // The browser does not notify of new cookies, so this tries again later.
  if (!id) return later();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a,area')) {
    // A link that is not a URL, or is in SVG, has no host.
    if (link.protocol !== 'https:' || !hosts.has(link.host)) continue;
    // The parameter is appended to the text, because parsing and serializing the URL would change its encoding.
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

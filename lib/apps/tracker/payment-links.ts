// The click id for Stripe's Payment Links, pricing tables and buy buttons, which take no metadata. A script of its own,
// which needs the tracker's cookie only: neither waits for the other.

const PARAMETER = 'client_reference_id';
const ATTRIBUTE = 'client-reference-id';

/** A page that changes all the time is looked through this often at most. */
const PAUSE_MS = 250;

const hosts = new Set([
  'buy.stripe.com',
  ...(document.currentScript?.dataset.serviceHosts ?? '').toLowerCase().split(/[\s,]+/),
]);

/** As the browser keeps it; what Stripe would not take counts as absent. */
function clickId(): string | undefined {
  try {
    return document.cookie.match(/(?:^|; )service_click_id=([\w-]+)(?:;|$)/)?.[1];
  } catch {
    // A frame that may have no cookies.
    return undefined;
  }
}

let timer: number | undefined;

/** Soon, however often it is called until then. */
function later(): void {
  timer ??= window.setTimeout(run, PAUSE_MS);
}

function run(): void {
  timer = undefined;
  const id = clickId();
  // No event tells when a cookie appears.
  if (!id) return later();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a,area')) {
    // One that is no URL, or in SVG, has no host.
    if (link.protocol !== 'https:' || !hosts.has(link.host)) continue;
    // The text is kept as it is: parsing and writing it would change how it is encoded.
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

const paths = new Set(['/js/tracker.js', '/js/payment-links.js', '/api/v1/track/click', '/api/v1/track/lead']);
const forwarded = ['Content-Type', 'Origin', 'User-Agent'];

/**
 * Serves the tracker and its calls from your own domain: `<script async src="/js/tracker.js" …>`.
 * @param options.baseUrl of the service
 * @param options.secret one of the installation's PROXY_SECRETS; without it all visitors share the rate limits of one
 * address
 * @returns a function that answers a Request; `visitorAddress` must be the address of the connection, not one that the
 * client sends
 */
export const trackingProxy =
  ({ baseUrl, secret }) =>
  async (request, visitorAddress) => {
    const { pathname } = new URL(request.url);
    if (!paths.has(pathname)) return new Response('Not Found', { status: 404 });
    const headers = new Headers();
    for (const name of forwarded) if (request.headers.has(name)) headers.set(name, request.headers.get(name));
    headers.set('X-Forwarded-For', visitorAddress);
    headers.set('X-Service-Proxy-Secret', secret);
    const body = request.method === 'POST' ? await request.text() : undefined;
    const reply = await fetch(`${baseUrl}${pathname}`, { method: request.method, headers, body });
    const { status } = reply;
    return new Response(status === 204 ? null : await reply.text(), {
      status,
      headers: { 'Content-Type': reply.headers.get('Content-Type') ?? 'application/json' },
    });
  };

import type { RateLimit } from '#lib/service/ground/values/rate-limits.ts';
import { routeNotFound } from '#lib/service/ground/values/refusals.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import { rateLimit } from '#lib/service/http/clients/rate-limit.ts';
import { rateLimitOfUnknownPath } from '#lib/service/http/clients/unknown-path-limit.ts';

/** OPTIONS is not rate-limited: it is a browser's preflight, and the request that follows it is limited. */
const limitOf = ({ event: { rawPath, requestContext } }: RequestContext): RateLimit | undefined =>
  requestContext.http.method === 'OPTIONS' ? undefined : rateLimitOfUnknownPath(rawPath);

/**
 * Replies to every method and path that no route has. A path below a rate-limited prefix is limited as the routes with
 * this prefix are.
 */
export const handler = createHandler({
  middlewares: [rateLimit(limitOf)],
  errors: { failure: 'Request failed' },
  run: () => {
    throw routeNotFound();
  },
});

import type { RateLimit } from '#lib/service/ground/values/rate-limits.ts';
import { routeNotFound } from '#lib/service/ground/values/refusals.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import { rateLimit } from '#lib/service/http/clients/rate-limit.ts';
import { rateLimitOfUnknownPath } from '#lib/service/http/clients/unknown-path-limit.ts';

/** OPTIONS is not rate-limited, because the request that follows a browser's preflight is. */
const limitOf = ({ event: { rawPath, requestContext } }: RequestContext): RateLimit | undefined =>
  requestContext.http.method === 'OPTIONS' ? undefined : rateLimitOfUnknownPath(rawPath);

/** Handles every method and path without a route. Paths below a rate-limited prefix are limited like its routes. */
export const handler = createHandler({
  middlewares: [rateLimit(limitOf)],
  errors: { failure: 'Request failed' },
  run: () => {
    throw routeNotFound();
  },
});

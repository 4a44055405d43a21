import type { RateLimit } from '#lib/service/ground/values/rate-limits.ts';
import { routeNotFound } from '#lib/service/ground/values/refusals.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import { rateLimit } from '#lib/service/http/clients/rate-limit.ts';
import { rateLimitOfUnknownPath } from '#lib/service/http/clients/unknown-path-limit.ts';

/** OPTIONS is never counted: the browser's preflight precedes a request that is counted. */
const limitOf = ({ event: { rawPath, requestContext } }: RequestContext): RateLimit | undefined =>
  requestContext.http.method === 'OPTIONS' ? undefined : rateLimitOfUnknownPath(rawPath);

/** Every path and method without a route. Those below a counted prefix are counted like its routes. */
export const handler = createHandler({
  middlewares: [rateLimit(limitOf)],
  errors: { failure: 'Request failed' },
  run: () => {
    throw routeNotFound();
  },
});

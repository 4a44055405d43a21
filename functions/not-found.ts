import { type RateLimit, rateLimitOfUnknownPath } from '#lib/domain/rate-limits.ts';
import { routeNotFound } from '#lib/domain/refusals.ts';
import type { RequestContext } from '#lib/service/triggers/http/request-context.ts';
import { createHandler } from '#lib/service/triggers/http/handler.ts';
import { rateLimit } from '#lib/service/triggers/http/rate-limit.ts';

/** OPTIONS is never counted (contract 4). */
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

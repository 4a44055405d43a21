import { type RateLimit, rateLimitOfUnknownPath } from '#lib/domain/rate-limits.ts';
import { routeNotFound } from '#lib/domain/refusals.ts';
import type { Call } from '#lib/service/triggers/http/call.ts';
import { handlerOf } from '#lib/service/triggers/http/handler.ts';
import { rateLimit } from '#lib/service/triggers/http/rate-limit.ts';

/** OPTIONS is never counted (contract 4). */
const limitOf = ({ event: { rawPath, requestContext } }: Call): RateLimit | undefined =>
  requestContext.http.method === 'OPTIONS' ? undefined : rateLimitOfUnknownPath(rawPath);

/** Every path and method without a route. Those below a counted prefix are counted like its routes. */
export const handler = handlerOf({
  middlewares: [rateLimit(limitOf)],
  errors: { failure: 'Request failed' },
  run: () => {
    throw routeNotFound();
  },
});

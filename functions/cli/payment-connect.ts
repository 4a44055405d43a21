import { rateLimits } from '#lib/domain/rate-limits.ts';
import { paymentConnectRetired } from '#lib/domain/refusals.ts';
import { createHandler } from '#lib/service/triggers/http/handler.ts';
import { rateLimit } from '#lib/service/triggers/http/rate-limit.ts';

/** Retired for every method: the processor is connected from the dashboard. OPTIONS is never counted. */
export const handler = createHandler({
  middlewares: [
    rateLimit(({ event }) => (event.requestContext.http.method === 'OPTIONS' ? undefined : rateLimits.cli)),
  ],
  errors: { failure: 'Request failed' },
  run: () => {
    throw paymentConnectRetired();
  },
});

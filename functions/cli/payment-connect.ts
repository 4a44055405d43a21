import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { paymentConnectRetired } from '#lib/service/ground/values/refusals.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import { rateLimit } from '#lib/service/http/clients/rate-limit.ts';

/**
 * The route no longer does anything, with any method, because the processor is connected in the dashboard. OPTIONS is
 * not rate-limited.
 */
export const handler = createHandler({
  middlewares: [
    rateLimit(({ event }) => (event.requestContext.http.method === 'OPTIONS' ? undefined : rateLimits.cli)),
  ],
  errors: { failure: 'Request failed' },
  run: () => {
    throw paymentConnectRetired();
  },
});

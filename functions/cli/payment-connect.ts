import { rateLimits } from '#lib/domain/rate-limits.ts';
import { paymentConnectRetired } from '#lib/domain/refusals.ts';
import { handlerOf } from '#lib/http/handler.ts';
import { rateLimit } from '#lib/http/rate-limit.ts';

/** Retired: the processor is connected from the dashboard. */
export const handler = handlerOf({
  middlewares: [rateLimit(() => rateLimits.cli)],
  errors: { failure: 'Request failed' },
  run: () => {
    throw paymentConnectRetired();
  },
});

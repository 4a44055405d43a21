import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { rateLimit } from '#lib/service/http/clients/rate-limit.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import { hasFile, logoReply } from '#lib/service/http/programs/brand-reply.ts';
import { logoOf } from '#lib/service/programs/brand/read-brand.ts';

/** The logo of a program, for everyone. CloudFront keeps it for some minutes. */
export const handler = createHandler({
  middlewares: [rateLimit(() => rateLimits.logo)],
  errors: { failure: 'Request failed', namesRequest: true },
  // CloudFront caches successful replies, and a cached one would show the id of another request.
  requestIdOnlyOnFailure: true,
  run: async ({ deps, event: { pathParameters, headers } }) => {
    const known = headers['if-none-match'];
    return logoReply(await logoOf(deps, numericIdOf(pathParameters?.program_id), known ? hasFile(known) : undefined));
  },
});

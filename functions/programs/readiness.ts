import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { keyInvalid, readinessKeyTexts } from '#lib/service/ground/values/refusals.ts';
import { programKeyEndpoint } from '#lib/service/http/callers/endpoint.ts';
import { readinessReply } from '#lib/service/http/reports/readiness-reply.ts';
import { integrationOf } from '#lib/service/reports/figures/integration-of.ts';

// `force_recheck` has no effect: it requests to bypass a cache, but there is none, and every reply is computed again.
export const handler = programKeyEndpoint({
  limit: rateLimits.readiness,
  programKey: { ...readinessKeyTexts, refusal: keyInvalid },
  errors: { failure: 'Failed to compute readiness. Retry shortly.', retryAfterSeconds: 10 },
  readAhead: (deps, _, hintedProgramId) =>
    hintedProgramId === undefined ? [] : [integrationOf(deps, hintedProgramId)],
  run: async (deps, _, programId) => readinessReply(await integrationOf(deps, programId), deps),
});

import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { cliKeyTexts } from '#lib/service/ground/values/refusals.ts';
import { programKeyEndpoint } from '#lib/service/http/callers/endpoint.ts';
import { statusReply } from '#lib/service/http/programs/status-reply.ts';
import { statusOf } from '#lib/service/reports/figures/status-of.ts';

export const handler = programKeyEndpoint({
  limit: rateLimits.cli,
  programKey: cliKeyTexts,
  errors: { failure: 'Failed to get status', namesRequest: true },
  requestIdOnlyOnFailure: true,
  readAhead: (deps, _, hintedProgramId) => (hintedProgramId === undefined ? [] : [statusOf(deps, hintedProgramId)]),
  run: async (deps, _, programId) => ({ data: statusReply(await statusOf(deps, programId)) }),
});

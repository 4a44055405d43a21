import { rateLimits } from '#lib/domain/rate-limits.ts';
import { cliKeyTexts } from '#lib/domain/refusals.ts';
import { programKeyEndpoint } from '#lib/service/triggers/http/endpoint.ts';
import { statusReply } from '#lib/service/triggers/http/replies/status.ts';
import { statusOf } from '#lib/service/use-cases/status-of.ts';

export const handler = programKeyEndpoint({
  limit: rateLimits.cli,
  programKey: cliKeyTexts,
  errors: { failure: 'Failed to get status', namesRequest: true },
  requestIdOnlyOnFailure: true,
  readAhead: (deps, _, hintedProgramId) => (hintedProgramId === undefined ? [] : [statusOf(deps, hintedProgramId)]),
  run: async (deps, _, programId) => ({ data: statusReply(await statusOf(deps, programId)) }),
});

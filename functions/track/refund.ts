import { rateLimits } from '#lib/domain/rate-limits.ts';
import { programKeyTexts } from '#lib/domain/refusals.ts';
import { programKeyEndpoint } from '#lib/service/triggers/http/endpoint.ts';
import { refundReply } from '#lib/service/triggers/http/replies/refund.ts';
import { refundBody } from '#lib/service/triggers/http/requests/refund.ts';
import { readAheadOfRefund, recordRefund } from '#lib/service/use-cases/record-refund.ts';

export const handler = programKeyEndpoint({
  limit: rateLimits.saleAndRefund,
  programKey: { ...programKeyTexts, empty: programKeyTexts.unknown },
  errors: { failure: 'Refund tracking failed', stableCodes: true },
  body: refundBody,
  readAhead: readAheadOfRefund,
  run: async (deps, request, programId) => refundReply(request, await recordRefund(deps, request, programId)),
});

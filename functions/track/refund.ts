import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { programKeyTexts } from '#lib/service/ground/values/refusals.ts';
import { programKeyEndpoint } from '#lib/service/http/callers/endpoint.ts';
import { refundReply } from '#lib/service/http/conversions/refund-reply.ts';
import { refundBody } from '#lib/service/http/conversions/refund-request.ts';
import { readAheadOfRefund, recordRefund } from '#lib/service/conversions/refunds/record-refund.ts';

export const handler = programKeyEndpoint({
  limit: rateLimits.saleAndRefund,
  programKey: { ...programKeyTexts, empty: programKeyTexts.unknown },
  errors: { failure: 'Refund tracking failed', stableCodes: true },
  body: refundBody,
  readAhead: readAheadOfRefund,
  run: async (deps, request, programId) => refundReply(request, await recordRefund(deps, request, programId)),
});

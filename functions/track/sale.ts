import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { programKeyTexts } from '#lib/service/ground/values/refusals.ts';
import { programKeyEndpoint } from '#lib/service/http/callers/endpoint.ts';
import { saleBody } from '#lib/service/http/conversions/sale-request.ts';
import { readAheadOfSale } from '#lib/service/conversions/sales/record-sale.ts';
import { recordSentSale } from '#lib/service/conversions/sales/record-sent-sale.ts';
import { recordTestSale } from '#lib/service/reports/trial/record-test-event.ts';
import { saleReply } from '#lib/service/http/conversions/sale-reply.ts';

export const handler = programKeyEndpoint({
  limit: rateLimits.saleAndRefund,
  programKey: programKeyTexts,
  errors: { failure: 'Sale tracking failed', stableCodes: true },
  body: (json, { deps }) => saleBody(json, deps.now),
  readAhead: (deps, body, hintedProgramId) => ('sale' in body ? readAheadOfSale(deps, body.sale, hintedProgramId) : []),
  async run(deps, body, programId, { warnings }) {
    if ('sale' in body) {
      const { sale, mayCountTwice } = await recordSentSale(deps, body.sale, programId);
      if (mayCountTwice) warnings.push('possible_double_count');
      return saleReply(sale);
    }
    const eventId = await recordTestSale(deps, body.test, programId);
    return {
      success: true,
      message: 'Test sale event tracked successfully',
      data: { eventId, programId, test_mode: true },
    };
  },
});

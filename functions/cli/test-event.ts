import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { cliKeyTexts } from '#lib/service/ground/values/refusals.ts';
import { programKeyEndpoint } from '#lib/service/http/callers/endpoint.ts';
import { chainReply } from '#lib/service/http/programs/chain-reply.ts';
import { asksForChain, cliTestEventBody } from '#lib/service/http/reports/cli-test-event-request.ts';
import { recordSingleTestEvent } from '#lib/service/reports/trial/record-single-test-event.ts';
import { runVerificationChain } from '#lib/service/reports/trial/run-verification-chain.ts';

export const handler = programKeyEndpoint({
  limit: rateLimits.cli,
  programKey: cliKeyTexts,
  errors: {
    failure: (call) => (asksForChain(call) ? 'Failed to run synthetic chain' : 'Failed to process test event'),
    namesRequest: true,
  },
  body: cliTestEventBody,
  readAhead: () => [],
  async run(deps, wanted, programId) {
    if (wanted === 'chain') return { data: chainReply(await runVerificationChain(deps, programId)) };
    return {
      data: {
        event_type: wanted,
        event_id: await recordSingleTestEvent(deps, wanted, programId),
        received: true,
        attributed: false,
        is_test: true,
        message: `Test ${wanted} event recorded`,
      },
    };
  },
});

import { rateLimits } from '#lib/domain/rate-limits.ts';
import { cliKeyTexts } from '#lib/domain/refusals.ts';
import { programKeyEndpoint } from '#lib/service/triggers/http/endpoint.ts';
import { chainReply } from '#lib/service/triggers/http/replies/chain.ts';
import { asksForChain, cliTestEventBody } from '#lib/service/triggers/http/requests/cli-test-event.ts';
import { recordSingleTestEvent } from '#lib/service/use-cases/record-single-test-event.ts';
import { runVerificationChain } from '#lib/service/use-cases/run-verification-chain.ts';

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

import { leadLimit } from '#lib/service/ground/values/rate-limits.ts';
import { programKeyTexts } from '#lib/service/ground/values/refusals.ts';
import { clientNetwork } from '#lib/service/http/clients/client-network.ts';
import { programKeyEndpoint } from '#lib/service/http/callers/endpoint.ts';
import { leadBody } from '#lib/service/http/conversions/lead-request.ts';
import { readAheadOfLead, recordLead } from '#lib/service/conversions/leads/record-lead.ts';
import { recordTestEvent } from '#lib/service/reports/trial/record-test-event.ts';

export const handler = programKeyEndpoint({
  limit: ({ keyedLeadsPerMinute }) => leadLimit(keyedLeadsPerMinute),
  // A lead without a program key counts as sent by a browser.
  programKey: { unknown: programKeyTexts.unknown },
  errors: { failure: 'Lead tracking failed' },
  cors: true,
  body: (json, { authorization }) => leadBody(json, authorization.scheme === 'bearer' && authorization.token !== ''),
  readAhead: (deps, body, hintedProgramId) => ('lead' in body ? readAheadOfLead(deps, body.lead, hintedProgramId) : []),
  async run(deps, body, keyProgramId, { address }) {
    if ('test' in body) {
      const { eventId, programId } = await recordTestEvent(deps, { ...body.test, keyProgramId });
      return {
        success: true,
        message: 'Test lead event tracked successfully',
        data: { eventId, programId, test_mode: true },
      };
    }
    const network = address === undefined ? undefined : clientNetwork(address);
    return (await recordLead(deps, body.lead, keyProgramId, network)) === 'settled'
      ? { success: true, message: 'Lead tracked successfully' }
      : {
          success: true,
          provisional: true,
          message: 'Lead recorded as provisional. Send a server-side lead to settle it.',
        };
  },
});

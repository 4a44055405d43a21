import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { balancesReply } from '#lib/service/http/reports/portal-figures-reply.ts';
import { partnerBalance } from '#lib/service/reports/exports/partner-balance.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  run: async (deps, { program, partner }) => balancesReply(await partnerBalance(deps, program, partner)),
});

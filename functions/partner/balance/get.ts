import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { balancesReply } from '#lib/service/triggers/http/replies/portal-figures.ts';
import { tellBalance } from '#lib/service/use-cases/tell-balance.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  run: async (deps, { program, partner }) => balancesReply(await tellBalance(deps, program, partner)),
});

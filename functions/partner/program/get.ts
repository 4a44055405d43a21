import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { portalProgramReply } from '#lib/service/triggers/http/replies/portal.ts';
import { programOfPartner } from '#lib/service/use-cases/program-of-partner.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  run: async (deps, caller) => portalProgramReply(await programOfPartner(deps, caller)),
});

import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { portalProgramReply } from '#lib/service/http/partners/portal-reply.ts';
import { programOfPartner } from '#lib/service/programs/joining/program-of-partner.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  run: async (deps, caller) => portalProgramReply(await programOfPartner(deps, caller)),
});

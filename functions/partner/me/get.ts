import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { portalMeReply } from '#lib/service/http/partners/portal-reply.ts';
import { listOwnPrograms } from '#lib/service/reports/exports/list-own-programs.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account }) => portalMeReply(await listOwnPrograms(deps, account)),
});

import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { portalMeReply } from '#lib/service/triggers/http/replies/portal.ts';
import { listOwnPrograms } from '#lib/service/use-cases/list-own-programs.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account }) => portalMeReply(await listOwnPrograms(deps, account)),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { brandReply } from '#lib/service/http/programs/brand-reply.ts';
import { removeLogo } from '#lib/service/programs/brand/remove-logo.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: () => undefined,
  run: async (deps, { program }) => brandReply(program.id, await removeLogo(deps, program)),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { brandReply } from '#lib/service/http/programs/brand-reply.ts';
import { newLogo } from '#lib/service/http/programs/brand-request.ts';
import { setLogo } from '#lib/service/programs/brand/change-logo.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: ({ bytes }) => newLogo(bytes()),
  run: async (deps, { program }, logo) => brandReply(program.id, await setLogo(deps, program, logo)),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { brandReply } from '#lib/service/http/programs/brand-reply.ts';
import { brandOf } from '#lib/service/programs/brand/read-brand.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => brandReply(program.id, await brandOf(deps, program.id)),
});

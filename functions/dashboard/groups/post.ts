import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { groupReply } from '#lib/service/http/programs/terms-reply.ts';
import { newGroup } from '#lib/service/http/programs/terms-request.ts';
import { createGroup } from '#lib/service/programs/terms/change-agreements.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: ({ json }) => newGroup(json()),
  run: async (deps, { program }, wanted) => groupReply(await createGroup(deps, program.id, wanted)),
});

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { groupReply } from '#lib/service/triggers/http/replies/terms.ts';
import { newGroup } from '#lib/service/triggers/http/requests/terms.ts';
import { createGroup } from '#lib/service/use-cases/change-agreements.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: ({ json }) => newGroup(json()),
  run: async (deps, { program }, wanted) => groupReply(await createGroup(deps, program.id, wanted)),
});

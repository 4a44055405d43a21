import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { groupReply } from '#lib/service/triggers/http/replies/terms.ts';
import { groupChange } from '#lib/service/triggers/http/requests/terms.ts';
import { changeGroup } from '#lib/service/use-cases/change-agreements.ts';
import { groupOf } from '#lib/service/use-cases/list-groups.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => groupOf(deps, program.id, numericIdOf(path.group_id)),
  input: ({ json }) => groupChange(json()),
  run: async (deps, { program }, wanted, { id }) => groupReply(await changeGroup(deps, program.id, id, wanted)),
});

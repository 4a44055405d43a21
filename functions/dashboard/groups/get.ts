import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { groupReply } from '#lib/service/triggers/http/replies/terms.ts';
import { listGroups } from '#lib/service/use-cases/list-groups.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'groups'),
  run: async (deps, { program }, page) => pageBody(page, await listGroups(deps, program.id, page), groupReply),
});

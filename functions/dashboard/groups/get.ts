import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { groupReply } from '#lib/service/http/programs/terms-reply.ts';
import { listGroups } from '#lib/service/programs/terms/list-groups.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'groups'),
  run: async (deps, { program }, page) => pageBody(page, await listGroups(deps, program.id, page), groupReply),
});

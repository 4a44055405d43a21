import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { programReply } from '#lib/service/http/programs/program-reply.ts';
import { listKeyedPrograms } from '#lib/service/reports/lists/list-programs.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: (sent) => pageRequest(sent, 'programs'),
  run: async (deps, { workspace }, page) =>
    pageBody(page, await listKeyedPrograms(deps, workspace.id, page), programReply),
});

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { programReply } from '#lib/service/triggers/http/replies/program.ts';
import { listKeyedPrograms } from '#lib/service/use-cases/list-programs.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: (sent) => pageRequest(sent, 'programs'),
  run: async (deps, { workspace }, page) =>
    pageBody(page, await listKeyedPrograms(deps, workspace.id, page), programReply),
});

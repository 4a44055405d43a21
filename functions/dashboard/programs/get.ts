import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { listKeyedPrograms } from '#lib/use-cases/list-programs.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: (sent) => pageRequest(sent, 'programs'),
  run: async (deps, { workspace }, page) =>
    pageBody(page, await listKeyedPrograms(deps, workspace.id, page), programReply),
});

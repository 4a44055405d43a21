import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { listPrograms } from '#lib/use-cases/list-programs.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: (sent) => pageRequest(sent, 'programs'),
  run: async (deps, { workspace }, page) => pageBody(page, await listPrograms(deps, workspace.id, page), programReply),
});

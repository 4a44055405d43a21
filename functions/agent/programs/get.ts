import { agentWorkspaceEndpoint } from '#lib/http/agent-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { listKeyedPrograms } from '#lib/use-cases/list-programs.ts';

export const handler = agentWorkspaceEndpoint({
  scope: 'program:list',
  input: (sent) => pageRequest(sent, 'agent programs'),
  run: async (deps, workspaceId, page) =>
    pageBody(page, await listKeyedPrograms(deps, workspaceId, page), programReply),
});

import { agentWorkspaceEndpoint } from '#lib/service/triggers/http/agent-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { programReply } from '#lib/service/triggers/http/replies/program.ts';
import { listKeyedPrograms } from '#lib/service/use-cases/list-programs.ts';

export const handler = agentWorkspaceEndpoint({
  scope: 'program:list',
  input: (sent) => pageRequest(sent, 'agent programs'),
  run: async (deps, workspaceId, page) =>
    pageBody(page, await listKeyedPrograms(deps, workspaceId, page), programReply),
});

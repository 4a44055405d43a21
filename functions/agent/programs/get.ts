import { agentWorkspaceEndpoint } from '#lib/service/http/callers/agent-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { programReply } from '#lib/service/http/programs/program-reply.ts';
import { listKeyedPrograms } from '#lib/service/reports/lists/list-programs.ts';

export const handler = agentWorkspaceEndpoint({
  scope: 'program:list',
  input: (sent) => pageRequest(sent, 'agent programs'),
  run: async (deps, workspaceId, page) =>
    pageBody(page, await listKeyedPrograms(deps, workspaceId, page), programReply),
});

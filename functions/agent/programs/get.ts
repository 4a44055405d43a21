import { agentWorkspaceEndpoint } from '#lib/http/agent-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { listPrograms } from '#lib/use-cases/list-programs.ts';

const LIST = 'agent programs';

export const handler = agentWorkspaceEndpoint({
  scope: 'program:list',
  input: (sent) => pageRequest(sent, LIST),
  run: async (deps, workspaceId, page) => pageBody(LIST, await listPrograms(deps, workspaceId, page), programReply),
});

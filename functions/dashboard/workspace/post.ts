import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/http/messages/body.ts';
import { workspaceReply } from '#lib/service/http/people/people-reply.ts';
import { createWorkspace } from '#lib/service/people/workspaces/create-workspace.ts';
import { NewWorkspace } from '#lib/wire/people/people-request.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  terminal: true,
  input: ({ json }) => parseCompleteBody(NewWorkspace, json()),
  run: async (deps, { account }, { name }) => workspaceReply(await createWorkspace(deps, account, name), account.id),
});

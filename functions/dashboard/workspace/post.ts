import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { workspaceReply } from '#lib/service/triggers/http/replies/people.ts';
import { workspaceBody } from '#lib/service/triggers/http/requests/people.ts';
import { createWorkspace } from '#lib/service/use-cases/create-workspace.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ json }) => workspaceBody(json()),
  run: async (deps, { account }, name) => workspaceReply(await createWorkspace(deps, account, name), account.id),
});

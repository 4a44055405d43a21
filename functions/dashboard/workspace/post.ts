import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { workspaceReply } from '#lib/http/replies/people.ts';
import { workspaceBody } from '#lib/http/requests/people.ts';
import { createWorkspace } from '#lib/use-cases/create-workspace.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ json }) => workspaceBody(json()),
  run: async (deps, { account }, name) => workspaceReply(await createWorkspace(deps, account, name), account.id),
});

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { workspaceReply } from '#lib/service/triggers/http/replies/people.ts';
import { createWorkspace } from '#lib/service/use-cases/create-workspace.ts';
import { NewWorkspace } from '#lib/wire/requests/people.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  terminal: true,
  input: ({ json }) => parseCompleteBody(NewWorkspace, json()),
  run: async (deps, { account }, { name }) => workspaceReply(await createWorkspace(deps, account, name), account.id),
});

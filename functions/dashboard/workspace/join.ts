import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { workspaceReply } from '#lib/http/replies/people.ts';
import { invitingWorkspace } from '#lib/http/requests/people.ts';
import { joinWorkspace } from '#lib/use-cases/answer-invitation.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ json }) => invitingWorkspace(json()),
  run: async (deps, { account: { id } }, workspaceId) => workspaceReply(await joinWorkspace(deps, id, workspaceId), id),
});

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { workspaceReply } from '#lib/service/triggers/http/replies/people.ts';
import { invitingWorkspace } from '#lib/service/triggers/http/requests/people.ts';
import { joinWorkspace } from '#lib/service/use-cases/answer-invitation.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ json }) => invitingWorkspace(json()),
  run: async (deps, { account: { id } }, workspaceId) => workspaceReply(await joinWorkspace(deps, id, workspaceId), id),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { workspaceReply } from '#lib/service/http/people/people-reply.ts';
import { invitingWorkspace } from '#lib/service/http/people/people-request.ts';
import { joinWorkspace } from '#lib/service/people/workspaces/answer-invitation.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ json }) => invitingWorkspace(json()),
  run: async (deps, { account: { id } }, workspaceId) => workspaceReply(await joinWorkspace(deps, id, workspaceId), id),
});

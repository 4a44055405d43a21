import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { invitingWorkspace } from '#lib/service/http/people/people-request.ts';
import { declineInvitation } from '#lib/service/people/workspaces/answer-invitation.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ json }) => invitingWorkspace(json()),
  async run(deps, { account }, workspaceId) {
    await declineInvitation(deps, account.id, workspaceId);
    return { declined: true };
  },
});

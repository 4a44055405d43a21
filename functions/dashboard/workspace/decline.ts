import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { invitingWorkspace } from '#lib/http/requests/people.ts';
import { declineInvitation } from '#lib/use-cases/answer-invitation.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ json }) => invitingWorkspace(json()),
  async run(deps, { account }, workspaceId) {
    await declineInvitation(deps, account.id, workspaceId);
    return { declined: true };
  },
});

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { invitingWorkspace } from '#lib/service/triggers/http/requests/people.ts';
import { declineInvitation } from '#lib/service/use-cases/answer-invitation.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ json }) => invitingWorkspace(json()),
  async run(deps, { account }, workspaceId) {
    await declineInvitation(deps, account.id, workspaceId);
    return { declined: true };
  },
});

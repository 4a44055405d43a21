import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { removeMember } from '#lib/service/people/workspaces/remove-member.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: () => undefined,
  async run(deps, { workspace, account: { id: accountId } }) {
    await removeMember(deps, workspace.id, { accountId });
    return { removed: true };
  },
});

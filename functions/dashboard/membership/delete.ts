import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { removeMember } from '#lib/service/use-cases/remove-member.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: () => undefined,
  async run(deps, { workspace, account: { id: accountId } }) {
    await removeMember(deps, workspace.id, { accountId });
    return { removed: true };
  },
});

import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { accountReply, ownWorkspaceReply } from '#lib/http/replies/people.ts';
import { workspaceOf } from '#lib/use-cases/workspace-of.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account, tokenExpiresAt }) => ({
    account: accountReply(account),
    workspace: ownWorkspaceReply(await workspaceOf(deps, account), account.id),
    token_expires_at: tokenExpiresAt,
  }),
});

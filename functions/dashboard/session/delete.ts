import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { closeSession } from '#lib/service/people/accounts/close-session.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  terminal: true,
  input: () => undefined,
  async run(deps, { account, token }) {
    await closeSession(deps, account.id, token);
    return { revoked: true };
  },
});

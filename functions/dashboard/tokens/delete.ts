import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { endOtherTokens } from '#lib/use-cases/login-tokens.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account, token }) => ({ revoked: await endOtherTokens(deps, account.id, token) }),
});

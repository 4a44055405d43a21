import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { endOtherTokens } from '#lib/service/use-cases/login-tokens.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account, token }) => ({ revoked: await endOtherTokens(deps, account.id, token) }),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { endOtherTokens } from '#lib/service/programs/keys/login-tokens.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account, token }) => ({ revoked: await endOtherTokens(deps, account.id, token) }),
});

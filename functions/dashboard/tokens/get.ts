import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { tokenReply } from '#lib/http/replies/people.ts';
import { listTokens } from '#lib/use-cases/login-tokens.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account, token }) => (await listTokens(deps, account.id, token)).map(tokenReply),
});

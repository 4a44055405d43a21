import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { tokenReply } from '#lib/service/triggers/http/replies/people.ts';
import { listTokens } from '#lib/service/use-cases/login-tokens.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  terminal: false,
  input: () => undefined,
  run: async (deps, { account, token }) => (await listTokens(deps, account.id, token)).map(tokenReply),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { tokenReply } from '#lib/service/http/people/people-reply.ts';
import { listTokens } from '#lib/service/programs/keys/login-tokens.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  terminal: false,
  input: () => undefined,
  run: async (deps, { account, token }) => (await listTokens(deps, account.id, token)).map(tokenReply),
});

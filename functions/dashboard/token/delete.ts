import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { endToken } from '#lib/service/programs/keys/login-tokens.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: ({ path }) => path.id ?? '',
  async run(deps, { account }, id) {
    await endToken(deps, account.id, id);
    return { revoked: true };
  },
});

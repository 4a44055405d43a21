import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { placeReply } from '#lib/service/triggers/http/replies/people.ts';
import { placeOf } from '#lib/service/use-cases/place-of.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account, tokenExpiresAt }) => ({
    ...placeReply(account, await placeOf(deps, account)),
    token_expires_at: tokenExpiresAt,
  }),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { placeReply } from '#lib/service/http/people/people-reply.ts';
import { placeOf } from '#lib/service/programs/program/place-of.ts';

export const handler = dashboardEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account, tokenExpiresAt }) => ({
    ...placeReply(account, await placeOf(deps, account)),
    token_expires_at: tokenExpiresAt,
  }),
});

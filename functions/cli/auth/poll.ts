import { loginStateMissing } from '#lib/domain/refusals.ts';
import { cliEndpoint } from '#lib/http/account-endpoint.ts';
import { pollLogin } from '#lib/use-cases/poll-login.ts';

export const handler = cliEndpoint('Failed to poll auth session', {
  needs: 'nobody',
  input: ({ query }) => {
    if (!query.state) throw loginStateMissing();
    return query.state;
  },
  async run(deps, _, state) {
    const login = await pollLogin(deps, state);
    if (login.status !== 'complete') return login;
    const { token, account } = login;
    return { status: 'complete', token, email: account.email, advertiser_id: account.workspaceId ?? null };
  },
});

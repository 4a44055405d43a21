import { loginStateMissing } from '#lib/service/ground/values/refusals.ts';
import { cliEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pollLogin } from '#lib/service/people/accounts/poll-login.ts';

export const handler = cliEndpoint('Failed to poll auth session', {
  needs: 'anyone',
  input: ({ query, device }) => {
    if (!query.state) throw loginStateMissing();
    return { state: query.state, device };
  },
  async run(deps, _, { state, device }) {
    const login = await pollLogin(deps, state, await device());
    if (login.status !== 'complete') return login;
    const { token, account } = login;
    return { status: 'complete', token, email: account.email, advertiser_id: account.workspaceId ?? null };
  },
});

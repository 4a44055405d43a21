import { loginStateMissing } from '#lib/domain/refusals.ts';
import { cliEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pollLogin } from '#lib/service/use-cases/poll-login.ts';

export const handler = cliEndpoint('Failed to poll auth session', {
  needs: 'nobody',
  input: ({ query, address }) => {
    if (!query.state) throw loginStateMissing();
    return { state: query.state, address };
  },
  async run(deps, _, { state, address }) {
    const login = await pollLogin(deps, state, await address());
    if (login.status !== 'complete') return login;
    const { token, account } = login;
    return { status: 'complete', token, email: account.email, advertiser_id: account.workspaceId ?? null };
  },
});

import { loginCode } from '#lib/service/people/accounts/login-session.ts';
import { cliEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { startLogin } from '#lib/service/people/accounts/start-login.ts';

export const handler = cliEndpoint('Failed to start auth session', {
  needs: 'anyone',
  input: ({ device }) => device,
  async run(deps, _, device) {
    const { state, expiresAt } = await startLogin(deps, (await device()).address);
    const { baseUrl, dashboardUrl } = deps.config;
    return {
      state,
      auth_url: `${dashboardUrl}/cli/login?state=${state}`,
      poll_url: `${baseUrl}/api/v1/cli/auth/poll?state=${state}`,
      expires_at: expiresAt.toISOString(),
      code: loginCode(state),
    };
  },
});

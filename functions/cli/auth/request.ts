import { loginCode } from '#lib/service/people/accounts/login-session.ts';
import { loginStateMissing } from '#lib/service/ground/values/refusals.ts';
import { cliEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { loginRequest } from '#lib/service/people/accounts/login-request.ts';

/** Shows a CLI login to the person who confirms it in the dashboard. */
export const handler = cliEndpoint('Failed to read auth session', {
  needs: 'anyone',
  input: ({ query: { state } }) => {
    if (!state) throw loginStateMissing();
    return state;
  },
  async run(deps, _, state) {
    const { startedAt, network } = await loginRequest(deps, state);
    return { requested_at: startedAt, network: network ?? null, code: loginCode(state) };
  },
});

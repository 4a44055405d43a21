import { missingFields } from '#lib/service/ground/values/refusals.ts';
import { cliEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { signedInAs } from '#lib/service/http/callers/id-token.ts';
import { completeLogin } from '#lib/service/people/accounts/complete-login.ts';

export const handler = cliEndpoint('Auth callback failed', {
  needs: 'anyone',
  input: ({ json }) => {
    const { state, id_token: idToken } = json();
    const isComplete = typeof state === 'string' && typeof idToken === 'string' && state !== '' && idToken !== '';
    if (!isComplete) throw missingFields(['state', 'id_token']);
    return { state, idToken };
  },
  async run(deps, _, { state, idToken }) {
    await completeLogin(deps, state, () => signedInAs(deps, idToken));
    return { status: 'complete' };
  },
});

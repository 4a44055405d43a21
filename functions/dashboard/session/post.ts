import { missingFields } from '#lib/service/ground/values/refusals.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { signedInAs } from '#lib/service/http/callers/id-token.ts';
import { placeReply } from '#lib/service/http/people/people-reply.ts';
import { openSession } from '#lib/service/programs/joining/open-session.ts';

export const handler = dashboardEndpoint({
  needs: 'anyone',
  input: ({ json, device }) => {
    const { id_token: idToken } = json();
    if (typeof idToken !== 'string' || idToken === '') throw missingFields(['id_token']);
    return { idToken, device };
  },
  async run(deps, _, { idToken, device }) {
    const identity = await signedInAs(deps, idToken);
    const { token, expiresAt, account, ...place } = await openSession(deps, identity, await device());
    return { token, expires_at: expiresAt.toISOString(), ...placeReply(account, place) };
  },
});

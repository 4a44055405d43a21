import { missingFields } from '#lib/domain/refusals.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { signedInAs } from '#lib/service/triggers/http/id-token.ts';
import { placeReply } from '#lib/service/triggers/http/replies/people.ts';
import { openSession } from '#lib/service/use-cases/open-session.ts';

export const handler = dashboardEndpoint({
  needs: 'nobody',
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

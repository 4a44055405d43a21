import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { declineInvitation } from '#lib/service/programs/joining/decide-application.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  async run(deps, { partner }) {
    await declineInvitation(deps, partner);
    return { declined: true };
  },
});

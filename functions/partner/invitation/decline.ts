import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { declineInvitation } from '#lib/service/use-cases/decide-application.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  async run(deps, { partner }) {
    await declineInvitation(deps, partner);
    return { declined: true };
  },
});

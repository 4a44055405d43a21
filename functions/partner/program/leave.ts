import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { leaveProgram } from '#lib/service/programs/partners/set-partner-status.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  async run(deps, { partner }) {
    await leaveProgram(deps, partner);
    return { left: true };
  },
});

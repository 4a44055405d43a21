import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { leaveProgram } from '#lib/service/use-cases/set-partner-status.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: () => undefined,
  async run(deps, { partner }) {
    await leaveProgram(deps, partner);
    return { left: true };
  },
});

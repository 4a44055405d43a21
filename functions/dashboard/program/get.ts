import { Body, dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { rotationNotices } from '#lib/service/http/callers/key-rotation.ts';
import { programReply } from '#lib/service/http/programs/program-reply.ts';
import { withKey } from '#lib/service/programs/keys/key-in-force.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  async run(deps, { program }) {
    const keyed = await withKey(deps, program);
    return new Body({ data: programReply(keyed), ...rotationNotices(keyed.key, deps) });
  },
});

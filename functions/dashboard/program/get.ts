import { Body, dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { rotationNotices } from '#lib/service/triggers/http/key-rotation.ts';
import { programReply } from '#lib/service/triggers/http/replies/program.ts';
import { withKey } from '#lib/service/use-cases/key-in-force.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  async run(deps, { program }) {
    const keyed = await withKey(deps, program);
    return new Body({ data: programReply(keyed), ...rotationNotices(keyed.key, deps) });
  },
});

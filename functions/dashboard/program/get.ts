import { Body, dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { rotationNotices } from '#lib/http/key-rotation.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { keyInForce } from '#lib/use-cases/key-in-force.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) =>
    new Body({ data: programReply(program), ...rotationNotices(await keyInForce(deps, program), deps) }),
});

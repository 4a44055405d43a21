import { agentProgramEndpoint } from '#lib/service/http/callers/agent-endpoint.ts';
import { programReply } from '#lib/service/http/programs/program-reply.ts';
import { withKey } from '#lib/service/programs/keys/key-in-force.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:read',
  input: () => undefined,
  run: async (deps, program) => programReply(await withKey(deps, program)),
});

import { agentProgramEndpoint } from '#lib/http/agent-endpoint.ts';
import { programReply } from '#lib/http/replies/program.ts';
import { withKey } from '#lib/use-cases/key-in-force.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:read',
  input: () => undefined,
  run: async (deps, program) => programReply(await withKey(deps, program)),
});

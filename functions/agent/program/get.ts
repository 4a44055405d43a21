import { agentProgramEndpoint } from '#lib/service/triggers/http/agent-endpoint.ts';
import { programReply } from '#lib/service/triggers/http/replies/program.ts';
import { withKey } from '#lib/service/use-cases/key-in-force.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:read',
  input: () => undefined,
  run: async (deps, program) => programReply(await withKey(deps, program)),
});

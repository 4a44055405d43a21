import { agentProgramEndpoint } from '#lib/http/agent-endpoint.ts';
import { programReply } from '#lib/http/replies/program.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:read',
  input: () => undefined,
  run: async (_, program) => programReply(program),
});

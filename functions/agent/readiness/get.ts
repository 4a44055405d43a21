import { agentProgramEndpoint } from '#lib/http/agent-endpoint.ts';
import { readinessReply } from '#lib/http/replies/readiness.ts';
import { integrationOf } from '#lib/use-cases/integration-of.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:read',
  input: () => undefined,
  run: async (deps, { id }) => readinessReply(await integrationOf(deps, id), deps),
});

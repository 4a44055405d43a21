import { agentProgramEndpoint } from '#lib/service/triggers/http/agent-endpoint.ts';
import { readinessReply } from '#lib/service/triggers/http/replies/readiness.ts';
import { integrationOf } from '#lib/service/use-cases/integration-of.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:read',
  input: () => undefined,
  run: async (deps, { id }) => readinessReply(await integrationOf(deps, id), deps),
});

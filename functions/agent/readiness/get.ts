import { agentProgramEndpoint } from '#lib/service/http/callers/agent-endpoint.ts';
import { readinessReply } from '#lib/service/http/reports/readiness-reply.ts';
import { integrationOf } from '#lib/service/reports/figures/integration-of.ts';

export const handler = agentProgramEndpoint({
  scope: 'program:read',
  input: () => undefined,
  run: async (deps, { id }) => readinessReply(await integrationOf(deps, id), deps),
});

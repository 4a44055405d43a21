import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { readinessReply } from '#lib/service/triggers/http/replies/readiness.ts';
import { integrationOf } from '#lib/service/use-cases/integration-of.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => readinessReply(await integrationOf(deps, program.id), deps),
});

import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { readinessReply } from '#lib/http/replies/readiness.ts';
import { integrationOf } from '#lib/use-cases/integration-of.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => readinessReply(await integrationOf(deps, program.id), deps),
});

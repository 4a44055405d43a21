import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { readinessReply } from '#lib/service/http/reports/readiness-reply.ts';
import { integrationOf } from '#lib/service/reports/figures/integration-of.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => readinessReply(await integrationOf(deps, program.id), deps),
});

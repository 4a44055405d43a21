import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { performanceReply } from '#lib/service/triggers/http/replies/performance.ts';
import { periodQuery } from '#lib/service/triggers/http/requests/performance.ts';
import { reportPerformance } from '#lib/service/use-cases/report-performance.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: periodQuery,
  run: async (deps, { program }, period) =>
    performanceReply(await reportPerformance(deps, { of: 'program', programId: program.id }, period)),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { performanceReply } from '#lib/service/http/reports/performance-reply.ts';
import { periodQuery } from '#lib/service/http/reports/performance-request.ts';
import { reportPerformance } from '#lib/service/reports/figures/report-performance.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: periodQuery,
  run: async (deps, { program }, period) =>
    performanceReply(await reportPerformance(deps, { of: 'program', programId: program.id }, period)),
});

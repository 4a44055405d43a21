import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { performanceReply } from '#lib/http/replies/performance.ts';
import { periodQuery } from '#lib/http/requests/performance.ts';
import { reportPerformance } from '#lib/use-cases/report-performance.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => sent,
  run: async (deps, { program }, sent) =>
    performanceReply(await reportPerformance(deps, program.id, periodQuery(sent, deps.now))),
});

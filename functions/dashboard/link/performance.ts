import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { performanceReply } from '#lib/service/http/reports/performance-reply.ts';
import { periodQuery } from '#lib/service/http/reports/performance-request.ts';
import { reportPerformance } from '#lib/service/reports/figures/report-performance.ts';
import { linkOf } from '#lib/service/programs/links/set-link-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => linkOf(deps, program.id, path.short_link ?? ''),
  input: periodQuery,
  run: async (deps, _, period, { shortLink }) =>
    performanceReply(await reportPerformance(deps, { of: 'link', shortLink }, period)),
});

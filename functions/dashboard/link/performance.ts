import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { performanceReply } from '#lib/service/triggers/http/replies/performance.ts';
import { periodQuery } from '#lib/service/triggers/http/requests/performance.ts';
import { reportPerformance } from '#lib/service/use-cases/report-performance.ts';
import { linkOf } from '#lib/service/use-cases/set-link-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => linkOf(deps, program.id, path.short_link ?? ''),
  input: periodQuery,
  run: async (deps, _, period, { shortLink }) =>
    performanceReply(await reportPerformance(deps, { of: 'link', shortLink }, period)),
});

import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { performanceReply } from '#lib/service/http/reports/performance-reply.ts';
import { periodQuery } from '#lib/service/http/reports/performance-request.ts';
import { reportPerformance } from '#lib/service/reports/figures/report-performance.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => partnerOf(deps, program.id, numericIdOf(path.partner_id)),
  input: periodQuery,
  run: async (deps, { program }, period, { id }) =>
    performanceReply(await reportPerformance(deps, { of: 'partner', programId: program.id, partnerId: id }, period)),
});

import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { performanceReply } from '#lib/service/triggers/http/replies/performance.ts';
import { periodQuery } from '#lib/service/triggers/http/requests/performance.ts';
import { reportPerformance } from '#lib/service/use-cases/report-performance.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => partnerOf(deps, program.id, numericIdOf(path.partner_id)),
  input: periodQuery,
  run: async (deps, { program }, period, { id }) =>
    performanceReply(await reportPerformance(deps, { of: 'partner', programId: program.id, partnerId: id }, period)),
});

import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { ownPerformanceReply } from '#lib/service/http/reports/portal-figures-reply.ts';
import { periodQuery } from '#lib/service/http/reports/performance-request.ts';
import { reportPerformance } from '#lib/service/reports/figures/report-performance.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: periodQuery,
  run: async (deps, { program, partner }, period) =>
    ownPerformanceReply(
      await reportPerformance(deps, { of: 'partner', programId: program.id, partnerId: partner.id }, period),
    ),
});

import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { ownPerformanceReply } from '#lib/service/triggers/http/replies/portal-figures.ts';
import { periodQuery } from '#lib/service/triggers/http/requests/performance.ts';
import { reportPerformance } from '#lib/service/use-cases/report-performance.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: periodQuery,
  run: async (deps, { program, partner }, period) =>
    ownPerformanceReply(
      await reportPerformance(deps, { of: 'partner', programId: program.id, partnerId: partner.id }, period),
    ),
});

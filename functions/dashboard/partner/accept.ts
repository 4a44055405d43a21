import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { partnerReply } from '#lib/service/http/partners/partner-reply.ts';
import { acceptApplication } from '#lib/service/programs/joining/decide-application.ts';
import { withCounts } from '#lib/service/reports/lists/list-partners.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  // The counters are read first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) =>
    withCounts(deps, program, await partnerOf(deps, program.id, numericIdOf(path.partner_id)), { mayChange: true }),
  input: () => undefined,
  run: async (deps, { program, role }, _, found) =>
    partnerReply({ ...found, partner: await acceptApplication(deps, program.id, found.partner.id) }, deps.now, role),
});

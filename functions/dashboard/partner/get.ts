import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { partnerReply } from '#lib/service/http/partners/partner-reply.ts';
import { periodOfFigures } from '#lib/service/http/reports/figures-request.ts';
import { withCounts } from '#lib/service/reports/lists/list-partners.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => partnerOf(deps, program.id, numericIdOf(path.partner_id)),
  input: periodOfFigures,
  run: async (deps, { program, role }, period, partner) =>
    partnerReply(await withCounts(deps, program, partner, { period }), deps.now, role),
});

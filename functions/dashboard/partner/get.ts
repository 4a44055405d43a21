import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { periodOfFigures } from '#lib/service/triggers/http/requests/figures.ts';
import { withCounts } from '#lib/service/use-cases/list-partners.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => partnerOf(deps, program.id, numericIdOf(path.partner_id)),
  input: periodOfFigures,
  run: async (deps, { program, role }, period, partner) =>
    partnerReply(await withCounts(deps, program, partner, { period }), deps.now, role),
});

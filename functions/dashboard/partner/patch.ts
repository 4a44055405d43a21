import { numericIdOf } from '#lib/domain/identifier.ts';
import { partnerStatuses } from '#lib/domain/partner.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { partnerReply } from '#lib/http/replies/partner.ts';
import { statusBody } from '#lib/http/requests/partner.ts';
import { partnerOf, setPartnerStatus } from '#lib/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => partnerOf(deps, program.id, numericIdOf(path.partner_id)),
  input: ({ json }) => statusBody(json(), partnerStatuses),
  run: async (deps, { program }, status, partner) =>
    partnerReply(await setPartnerStatus(deps, program.id, partner.id, status)),
});

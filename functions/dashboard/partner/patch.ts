import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { withCounts } from '#lib/service/use-cases/list-partners.ts';
import { partnerOf, setPartnerStatus } from '#lib/service/use-cases/set-partner-status.ts';
import { PartnerStatusChange } from '#lib/wire/requests/partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  // Reads the counters first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) =>
    withCounts(deps, await partnerOf(deps, program.id, numericIdOf(path.partner_id))),
  input: ({ json }) => parseCompleteBody(PartnerStatusChange, json()).status,
  run: async (deps, { program }, status, found) =>
    partnerReply({ ...found, partner: await setPartnerStatus(deps, program.id, found.partner.id, status) }),
});

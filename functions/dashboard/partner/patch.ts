import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { CLEARABLE, OWNER_FIELDS, partnerChange } from '#lib/service/triggers/http/requests/partner.ts';
import { changePartner } from '#lib/service/use-cases/change-partner.ts';
import { withCounts } from '#lib/service/use-cases/list-partners.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  ownerFields: OWNER_FIELDS,
  // Reads the counters first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) =>
    withCounts(deps, program, await partnerOf(deps, program.id, numericIdOf(path.partner_id)), { mayChange: true }),
  clearable: CLEARABLE,
  input: ({ json }) => partnerChange(json()),
  run: async (deps, { program, role }, change, found) =>
    partnerReply({ ...found, ...(await changePartner(deps, program, found.partner.id, change)) }, deps.now, role),
});

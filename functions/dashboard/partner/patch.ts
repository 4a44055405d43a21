import { numericIdOf } from '#lib/domain/identifier.ts';
import { partnerStatuses } from '#lib/domain/partner.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { partnerReply } from '#lib/http/replies/partner.ts';
import { statusBody } from '#lib/http/requests/partner.ts';
import { partnerOf, setPartnerStatus } from '#lib/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ path, json }) => ({ partnerId: numericIdOf(path.partner_id), json }),
  async run(deps, { program }, { partnerId, json }) {
    const { id } = await partnerOf(deps, program.id, partnerId);
    return partnerReply(await setPartnerStatus(deps, program.id, id, statusBody(json(), partnerStatuses)));
  },
});

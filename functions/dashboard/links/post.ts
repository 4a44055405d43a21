import { eventCounts } from '#lib/domain/counter-readings.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { linkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { linkBody, partnerOfLink } from '#lib/service/triggers/http/requests/link.ts';
import { createLink } from '#lib/service/use-cases/create-link.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => {
    const body = json();
    return { body, partnerId: partnerOfLink(body) };
  },
  async run(deps, { program }, { body, partnerId }) {
    const partner = await partnerOf(deps, program.id, partnerId);
    const link = await createLink(deps, program.id, { partnerId: partner.id, ...linkBody(body) });
    return linkReply({ link, partner, counts: eventCounts() });
  },
});

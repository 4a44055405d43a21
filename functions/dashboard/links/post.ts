import { eventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { linkReply } from '#lib/service/http/partners/partner-reply.ts';
import { linkBody, partnerOfLink } from '#lib/service/http/programs/link-request.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';

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

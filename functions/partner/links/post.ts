import { eventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { ownLinkReply } from '#lib/service/http/partners/partner-reply.ts';
import { linkBody } from '#lib/service/http/programs/link-request.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  changes: true,
  input: ({ json }) => linkBody(json()),
  async run(deps, { program, partner }, wanted) {
    const link = await createLink(deps, program.id, { partnerId: partner.id, madeByPartner: true, ...wanted });
    return ownLinkReply({ link, partner, counts: eventCounts() });
  },
});

import { eventCounts } from '#lib/domain/counter-readings.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { ownLinkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { linkBody } from '#lib/service/triggers/http/requests/link.ts';
import { createLink } from '#lib/service/use-cases/create-link.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  changes: true,
  input: ({ json }) => linkBody(json()),
  async run(deps, { program, partner }, wanted) {
    const link = await createLink(deps, program.id, { partnerId: partner.id, madeByPartner: true, ...wanted });
    return ownLinkReply({ link, partner, counts: eventCounts() });
  },
});

import { eventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody, parseCompleteBody } from '#lib/service/http/messages/body.ts';
import { partnerReply } from '#lib/service/http/partners/partner-reply.ts';
import { sentGroupId, wishesIn } from '#lib/service/http/partners/partner-request.ts';
import { addPartnerWithTerms } from '#lib/service/programs/partners/add-partner.ts';
import { Invite, NewPartner } from '#lib/wire/partners/partner-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  ownerFields: ['group_id'],
  input({ json }) {
    const body = json();
    return {
      ...parseCompleteBody(NewPartner, body),
      ...parseBody(Invite, body),
      ...wishesIn(body),
      group: sentGroupId(body.group_id),
    };
  },
  async run(deps, { program }, wanted) {
    const { partner, terms } = await addPartnerWithTerms(deps, program.id, wanted);
    return partnerReply({ partner, counts: eventCounts(), terms, share: { isSharedElsewhere: false } }, deps.now);
  },
});

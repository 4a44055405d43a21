import { termsOfPartner } from '#lib/service/programs/terms/agreements.ts';
import { eventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody, parseCompleteBody } from '#lib/service/http/messages/body.ts';
import { partnerReply } from '#lib/service/http/partners/partner-reply.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { agreementsOf } from '#lib/service/programs/terms/list-groups.ts';
import { Invite, NewPartner } from '#lib/wire/partners/partner-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input({ json }) {
    const body = json();
    return { ...parseCompleteBody(NewPartner, body), ...parseBody(Invite, body) };
  },
  async run(deps, { program }, wanted) {
    // The agreements are read first: a failed read after the write would hide that the write succeeded.
    const agreements = await agreementsOf(deps, program.id);
    const partner = await addPartner(deps, program.id, wanted);
    const terms = termsOfPartner(program, agreements, partner);
    return partnerReply({ partner, counts: eventCounts(), terms, share: { isSharedElsewhere: false } }, deps.now);
  },
});

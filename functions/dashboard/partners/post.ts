import { termsOfPartner } from '#lib/domain/agreements.ts';
import { eventCounts } from '#lib/domain/counter-readings.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody, parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { addPartner } from '#lib/service/use-cases/add-partner.ts';
import { agreementsOf } from '#lib/service/use-cases/list-groups.ts';
import { Invite, NewPartner } from '#lib/wire/requests/partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input({ json }) {
    const body = json();
    return { ...parseCompleteBody(NewPartner, body), ...parseBody(Invite, body) };
  },
  async run(deps, { program }, wanted) {
    // Read first: a successful addition must not be answered as a failure.
    const agreements = await agreementsOf(deps, program.id);
    const partner = await addPartner(deps, program.id, wanted);
    const terms = termsOfPartner(program, agreements, partner);
    return partnerReply({ partner, counts: eventCounts(), terms, share: { isSharedElsewhere: false } }, deps.now);
  },
});

import { termsOfPartner } from '#lib/domain/agreements.ts';
import { eventCounts } from '#lib/domain/counter-readings.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { addPartner } from '#lib/service/use-cases/add-partner.ts';
import { agreementsOf } from '#lib/service/use-cases/list-groups.ts';
import { NewPartner } from '#lib/wire/requests/partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseCompleteBody(NewPartner, json()),
  async run(deps, { program }, wanted) {
    // Read first: a successful addition must not be answered as a failure.
    const agreements = await agreementsOf(deps, program.id);
    const partner = await addPartner(deps, program.id, wanted);
    return partnerReply({ partner, counts: eventCounts(), terms: termsOfPartner(program, agreements, partner) });
  },
});

import { eventCounts } from '#lib/domain/counter-readings.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { addPartner } from '#lib/service/use-cases/add-partner.ts';
import { NewPartner } from '#lib/wire/requests/partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseCompleteBody(NewPartner, json()),
  run: async (deps, { program }, wanted) =>
    partnerReply({ partner: await addPartner(deps, program.id, wanted), counts: eventCounts() }),
});

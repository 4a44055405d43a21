import { eventCounts } from '#lib/domain/counter-readings.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { partnerBody } from '#lib/service/triggers/http/requests/partner.ts';
import { addPartner } from '#lib/service/use-cases/add-partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => partnerBody(json()),
  run: async (deps, { program }, wanted) =>
    partnerReply({ partner: await addPartner(deps, program.id, wanted), counts: eventCounts() }),
});

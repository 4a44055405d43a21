import { eventCounts } from '#lib/domain/counter-readings.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { partnerReply } from '#lib/http/replies/partner.ts';
import { partnerBody } from '#lib/http/requests/partner.ts';
import { addPartner } from '#lib/use-cases/add-partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => partnerBody(json()),
  run: async (deps, { program }, wanted) =>
    partnerReply({ partner: await addPartner(deps, program.id, wanted), counts: eventCounts() }),
});

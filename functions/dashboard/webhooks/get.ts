import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { endpointReply } from '#lib/service/triggers/http/replies/webhook.ts';
import { listEndpoints } from '#lib/service/use-cases/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'webhooks'),
  run: async (deps, { program }, page) => pageBody(page, await listEndpoints(deps, program.id, page), endpointReply),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { endpointReply } from '#lib/service/http/outbox/webhook-reply.ts';
import { listEndpoints } from '#lib/service/outbox/webhooks/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'webhooks'),
  run: async (deps, { program }, page) => pageBody(page, await listEndpoints(deps, program.id, page), endpointReply),
});

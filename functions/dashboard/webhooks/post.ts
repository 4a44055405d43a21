import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { endpointReply } from '#lib/service/http/outbox/webhook-reply.ts';
import { newEndpoint } from '#lib/service/http/outbox/webhook-request.ts';
import { createEndpoint } from '#lib/service/outbox/webhooks/change-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  input: ({ json }, _now, config) => newEndpoint(json(), config),
  async run(deps, { program }, wanted) {
    const { endpoint, secret } = await createEndpoint(deps, program.id, wanted);
    return { ...endpointReply(endpoint), secret };
  },
});

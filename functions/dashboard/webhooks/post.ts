import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { endpointReply } from '#lib/service/triggers/http/replies/webhook.ts';
import { newEndpoint } from '#lib/service/triggers/http/requests/webhook.ts';
import { createEndpoint } from '#lib/service/use-cases/change-webhooks.ts';

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

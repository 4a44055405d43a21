import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { rollSecret } from '#lib/service/outbox/webhooks/change-webhooks.ts';
import { endpointOf } from '#lib/service/outbox/webhooks/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  // The request has no fields, but if it has a body, this must be valid JSON.
  input: ({ json }) => json(),
  async run(deps, { program }, _input, { id }) {
    const { secret } = await rollSecret(deps, program.id, id);
    return { secret };
  },
});

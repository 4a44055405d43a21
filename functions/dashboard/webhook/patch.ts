import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { endpointReply } from '#lib/service/triggers/http/replies/webhook.ts';
import { comparedWith, seenIn } from '#lib/service/triggers/http/requests/seen.ts';
import { endpointChange, ENDPOINT_FIELDS } from '#lib/service/triggers/http/requests/webhook.ts';
import { changeEndpoint } from '#lib/service/use-cases/change-webhooks.ts';
import { endpointOf } from '#lib/service/use-cases/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: ({ json }, _now, config) => ({
    change: endpointChange(json(), config),
    seen: seenIn(json(), ENDPOINT_FIELDS),
  }),
  run: async (deps, { program }, { change, seen }, { id }) =>
    endpointReply(await changeEndpoint(deps, program.id, id, change, comparedWith(seen, endpointReply))),
});

import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { replayedDays } from '#lib/service/triggers/http/requests/webhook.ts';
import { endpointOf } from '#lib/service/use-cases/list-webhooks.ts';
import { replayRange } from '#lib/service/use-cases/replay-deliveries.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: ({ json }) => replayedDays(json()),
  run: async (deps, { program }, range, endpoint) => ({ queued: await replayRange(deps, program, endpoint, range) }),
});

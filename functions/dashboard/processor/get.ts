import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { processorReply } from '#lib/service/triggers/http/replies/processor.ts';
import { processorConnectionOf } from '#lib/service/use-cases/processor-connection.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => processorReply(await processorConnectionOf(deps, program), deps.config),
});

import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { processorReply } from '#lib/http/replies/processor.ts';
import { processorConnectionOf } from '#lib/use-cases/processor-connection.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => processorReply(await processorConnectionOf(deps, program), deps.config),
});

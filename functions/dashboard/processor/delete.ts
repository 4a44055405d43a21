import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { processorReply } from '#lib/http/replies/processor.ts';
import { disconnect } from '#lib/use-cases/processor-connection.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: () => undefined,
  run: async (deps, { program }) => processorReply(await disconnect(deps, program.id), deps.config),
});

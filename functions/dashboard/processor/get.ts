import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { processorReply } from '#lib/service/http/conversions/processor-reply.ts';
import { processorConnectionOf } from '#lib/service/conversions/processors/processor-connection.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: () => undefined,
  run: async (deps, { program }) => processorReply(await processorConnectionOf(deps, program), deps.config),
});

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { chainReply } from '#lib/service/triggers/http/replies/chain.ts';
import { runVerificationChain } from '#lib/service/use-cases/run-verification-chain.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  terminal: true,
  // It has no fields, but what is sent must be JSON.
  input: ({ json }) => json(),
  run: async (deps, { program }) => chainReply(await runVerificationChain(deps, program.id)),
});

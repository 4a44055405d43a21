import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { chainReply } from '#lib/service/http/programs/chain-reply.ts';
import { runVerificationChain } from '#lib/service/reports/trial/run-verification-chain.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  terminal: true,
  // The request has no fields, but if it has a body, this must be valid JSON.
  input: ({ json }) => json(),
  run: async (deps, { program }) => chainReply(await runVerificationChain(deps, program.id)),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';

/** Replies with a new program key. No other reply contains the full key. */
export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  // The request has no fields, but if it has a body, this must be valid JSON.
  input: ({ json }) => json(),
  async run(deps, { program }) {
    const { key, masked } = await generateProgramKey(deps, program.id);
    return { api_key: key, api_token_masked: masked };
  },
});

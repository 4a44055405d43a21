import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { generateProgramKey } from '#lib/use-cases/generate-program-key.ts';

/** By specification 5 the only answer that ever holds a program key. */
export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: () => undefined,
  async run(deps, { program }) {
    const { key, masked } = await generateProgramKey(deps, program.id);
    return { api_key: key, api_token_masked: masked };
  },
});

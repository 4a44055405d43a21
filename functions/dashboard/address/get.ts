import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: ({ wholeAddress }) => wholeAddress,
  run: async (_, __, wholeAddress) => ({ address: await wholeAddress() }),
});

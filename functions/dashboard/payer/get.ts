import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payerReply } from '#lib/service/http/people/payer-reply.ts';
import { payerOf } from '#lib/service/people/workspaces/read-payer.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  input: () => undefined,
  run: async (deps, { workspace }) => payerReply(await payerOf(deps, workspace.id)),
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { workspaceReply } from '#lib/service/http/people/people-reply.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: () => undefined,
  run: async (_, { workspace, account }) => workspaceReply(workspace, account.id),
});

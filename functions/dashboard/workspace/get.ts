import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { workspaceReply } from '#lib/service/triggers/http/replies/people.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: () => undefined,
  run: async (_, { workspace, account }) => workspaceReply(workspace, account.id),
});

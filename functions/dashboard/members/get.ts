import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { memberReply } from '#lib/service/http/people/people-reply.ts';
import { listMembers } from '#lib/service/people/workspaces/list-members.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  terminal: false,
  input: (sent) => pageRequest(sent, 'members'),
  run: async (deps, { workspace }, page) =>
    pageBody(page, await listMembers(deps, workspace, page), ({ membership, account }) =>
      memberReply(membership, account),
    ),
});

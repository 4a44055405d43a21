import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { memberReply } from '#lib/http/replies/people.ts';
import { listMembers } from '#lib/use-cases/list-members.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: (sent) => pageRequest(sent, 'members'),
  run: async (deps, { workspace }, page) =>
    pageBody(page, await listMembers(deps, workspace, page), ({ membership, account }) =>
      memberReply(membership, account),
    ),
});

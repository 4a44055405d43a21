import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { memberReply } from '#lib/service/triggers/http/replies/people.ts';
import { listMembers } from '#lib/service/use-cases/list-members.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  terminal: false,
  input: (sent) => pageRequest(sent, 'members'),
  run: async (deps, { workspace }, page) =>
    pageBody(page, await listMembers(deps, workspace, page), ({ membership, account }) =>
      memberReply(membership, account),
    ),
});

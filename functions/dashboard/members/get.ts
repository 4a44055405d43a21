import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { memberReply } from '#lib/http/replies/people.ts';
import { listMembers } from '#lib/use-cases/list-members.ts';

const LIST = 'members';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  input: (sent) => pageRequest(sent, LIST),
  run: async (deps, { workspace }, page) =>
    pageBody(LIST, await listMembers(deps, workspace, page), ({ membership, account }) =>
      memberReply(membership, account),
    ),
});

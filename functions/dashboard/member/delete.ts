import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { memberOfPath } from '#lib/http/requests/people.ts';
import { removeMember } from '#lib/use-cases/remove-member.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  input: ({ path }) => memberOfPath(path.account_id),
  async run(deps, { workspace }, member) {
    await removeMember(deps, workspace.id, member);
    return { removed: true };
  },
});

import { membershipIn } from '#lib/service/people/workspaces/workspace.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { memberOfPath } from '#lib/service/http/people/people-request.ts';
import { removeMember } from '#lib/service/people/workspaces/remove-member.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  async subject(_, { workspace }, { account_id: accountId }) {
    const member = memberOfPath(accountId);
    membershipIn(workspace, member);
    return member;
  },
  owner: true,
  recentSignIn: { when: ({ caller, subject }) => membershipIn(caller.workspace, subject).role === 'owner' },
  input: () => undefined,
  async run(deps, { workspace }, _, member) {
    await removeMember(deps, workspace.id, member);
    return { removed: true };
  },
});

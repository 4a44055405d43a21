import { membershipIn } from '#lib/domain/workspace.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { memberOfPath } from '#lib/service/triggers/http/requests/people.ts';
import { removeMember } from '#lib/service/use-cases/remove-member.ts';

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

import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { memberReply } from '#lib/http/replies/people.ts';
import { memberBody } from '#lib/http/requests/people.ts';
import { setMember } from '#lib/use-cases/set-member.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  input: ({ json }) => memberBody(json()),
  async run(deps, { workspace, account: { id: invitedBy } }, wanted) {
    const { membership, account } = await setMember(deps, workspace.id, { ...wanted, invitedBy });
    return memberReply(membership, account);
  },
});

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { memberReply } from '#lib/service/triggers/http/replies/people.ts';
import { memberBody } from '#lib/service/triggers/http/requests/people.ts';
import { setMember } from '#lib/service/use-cases/set-member.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  input: ({ json }) => memberBody(json()),
  async run(deps, { workspace, account: { id: invitedBy } }, wanted) {
    const { membership, account } = await setMember(deps, workspace.id, { ...wanted, invitedBy });
    return memberReply(membership, account);
  },
});

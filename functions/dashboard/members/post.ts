import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { memberReply } from '#lib/service/triggers/http/replies/people.ts';
import { setMember } from '#lib/service/use-cases/set-member.ts';
import { NewMember } from '#lib/wire/requests/people.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  input: ({ json }) => parseCompleteBody(NewMember, json()),
  async run(deps, { workspace, account: { id: invitedBy } }, wanted) {
    const { membership, account } = await setMember(deps, workspace.id, { ...wanted, invitedBy });
    return memberReply(membership, account);
  },
});

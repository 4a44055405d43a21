import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { memberReply } from '#lib/service/triggers/http/replies/people.ts';
import { changesOwners, setMember } from '#lib/service/use-cases/set-member.ts';
import { NewMember } from '#lib/wire/requests/people.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  // An owner may send the money elsewhere: nobody becomes or ceases to be one by a session that was left open.
  recentSignIn: { when: ({ deps, caller, sent }) => changesOwners(deps, caller.workspace, sent.json()) },
  input: ({ json }) => parseCompleteBody(NewMember, json()),
  async run(deps, { workspace, account: { id: invitedBy } }, wanted) {
    const { membership, account } = await setMember(deps, workspace.id, { ...wanted, invitedBy });
    return memberReply(membership, account);
  },
});

import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/http/messages/body.ts';
import { memberReply } from '#lib/service/http/people/people-reply.ts';
import { changesOwners, setMember } from '#lib/service/people/workspaces/set-member.ts';
import { NewMember } from '#lib/wire/people/people-request.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  // An owner can redirect payouts, so a session that was left open must not be enough to add or remove owners.
  recentSignIn: { when: ({ deps, caller, sent }) => changesOwners(deps, caller.workspace, sent.json()) },
  input: ({ json }) => parseCompleteBody(NewMember, json()),
  async run(deps, { workspace, account: { id: invitedBy } }, wanted) {
    const { membership, account } = await setMember(deps, workspace.id, { ...wanted, invitedBy });
    return memberReply(membership, account);
  },
});

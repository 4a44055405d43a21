import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { workspaceReply } from '#lib/service/http/people/people-reply.ts';
import { freezePayouts } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import { WorkspaceChange } from '#lib/wire/people/people-request.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  // A change that stops payouts is allowed from any session, because it may be urgent. A change that resumes them needs
  // a recent sign-in.
  recentSignIn: { when: ({ sent }) => sent.json().payouts_frozen === false },
  input: ({ json }) => parseBody(WorkspaceChange, json()).payouts_frozen,
  run: async (deps, { workspace, account }, isFrozen) =>
    workspaceReply(await freezePayouts(deps, workspace.id, isFrozen, 'owner'), account.id),
});

import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { workspaceReply } from '#lib/service/triggers/http/replies/people.ts';
import { freezePayouts } from '#lib/service/use-cases/freeze-payouts.ts';
import { WorkspaceChange } from '#lib/wire/requests/people.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  // Whoever sees something wrong can stop payouts at once, from any session.
  recentSignIn: { when: ({ sent }) => sent.json().payouts_frozen === false },
  input: ({ json }) => parseBody(WorkspaceChange, json()).payouts_frozen,
  run: async (deps, { workspace, account }, isFrozen) =>
    workspaceReply(await freezePayouts(deps, workspace.id, isFrozen, 'owner'), account.id),
});

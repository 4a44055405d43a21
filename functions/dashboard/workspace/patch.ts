import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { needsRecentSignIn } from '#lib/service/triggers/http/recent-sign-in.ts';
import { workspaceReply } from '#lib/service/triggers/http/replies/people.ts';
import { freezePayouts } from '#lib/service/use-cases/freeze-payouts.ts';
import { WorkspaceChange } from '#lib/wire/requests/people.ts';

export const handler = dashboardEndpoint({
  needs: 'workspace',
  owner: true,
  input: ({ json }) => parseBody(WorkspaceChange, json()).payouts_frozen,
  async run(deps, caller, isFrozen) {
    // Whoever sees something wrong can stop it at once, from any session.
    if (!isFrozen) needsRecentSignIn(caller, deps.now);
    const { workspace, account } = caller;
    return workspaceReply(await freezePayouts(deps, workspace.id, isFrozen, 'owner'), account.id);
  },
});

import { changesBetween, memberTarget } from '#lib/service/ground/changes/audit.ts';
import { noWorkspace } from '#lib/service/ground/values/refusals.ts';
import { type Member, membershipIn, withoutMember } from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { accountWorkspaceWrite } from '#lib/service/people/accounts/accounts-items.ts';
import {
  changedWorkspaceWrite,
  findWorkspace,
  withdrawnInvitationWrite,
} from '#lib/service/people/workspaces/workspaces-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Removes a member from a workspace or withdraws an invitation. The person's access ends immediately.
 * @throws Refusal if there is no such member, or no owner would remain
 */
export const removeMember = (deps: Deps, workspaceId: number, member: Member): Promise<void> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const workspace = await findWorkspace(table, workspaceId);
    if (!workspace) throw noWorkspace();
    const { accountId, email, role, invitedAt } = membershipIn(workspace, member);
    await table.transact([
      changedWorkspaceWrite(workspace, withoutMember(workspace, member)),
      accountId === undefined
        ? withdrawnInvitationWrite({ workspaceId, email, invitedAt })
        : accountWorkspaceWrite(accountId, workspaceId, undefined),
      ...auditWrites(deps, workspaceId, {
        action: 'member.removed',
        target: memberTarget({ accountId, email }),
        changes: changesBetween({ role }, { role: undefined }),
      }),
    ]);
  });

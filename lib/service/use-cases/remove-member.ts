import { changesBetween, memberTarget } from '#lib/domain/audit.ts';
import { noWorkspace } from '#lib/domain/refusals.ts';
import { type Member, membershipIn, withoutMember } from '#lib/domain/workspace.ts';
import type { Deps } from '#lib/service/deps.ts';
import { accountWorkspaceWrite } from '#lib/service/store/accounts.ts';
import { changedWorkspaceWrite, findWorkspace, withdrawnInvitationWrite } from '#lib/service/store/workspaces.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/**
 * Removes a member from a workspace, or withdraws an invitation. Access ends at once.
 * @throws Refusal when there is no such member, or no owner would be left
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

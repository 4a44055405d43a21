import type { Account } from '#lib/domain/account.ts';
import { changesBetween } from '#lib/domain/audit.ts';
import { alreadyInWorkspace } from '#lib/domain/refusals.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import type { Deps } from '#lib/service/deps.ts';
import { accountWorkspaceWrite } from '#lib/service/store/accounts.ts';
import { nextNumber } from '#lib/service/store/sequence.ts';
import { newWorkspaceWrite } from '#lib/service/store/workspaces.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';

/**
 * Creates a workspace with the account as its owner. @param name 1 to 120 characters
 * @throws Refusal when the account has a workspace already
 */
export async function createWorkspace(deps: Deps, account: Account, name: string): Promise<Workspace> {
  const { table, now } = deps;
  if (account.workspaceId !== undefined) throw alreadyInWorkspace();
  const createdAt = now.toISOString();
  const workspace: Workspace = {
    id: await nextNumber(table, 'workspace'),
    name,
    members: [
      { accountId: account.id, email: account.email, role: 'owner', invitedAt: createdAt, joinedAt: createdAt },
    ],
    version: 1,
    createdAt,
  };
  await table
    .transact([
      newWorkspaceWrite(workspace),
      accountWorkspaceWrite(account.id, undefined, workspace.id),
      ...auditWrites(deps, workspace.id, {
        action: 'workspace.created',
        target: { type: 'workspace', id: workspace.id, name },
        changes: changesBetween({}, { name }),
      }),
    ])
    .catch((error: unknown) => {
      throw error instanceof ConditionFailed ? alreadyInWorkspace() : error;
    });
  return workspace;
}

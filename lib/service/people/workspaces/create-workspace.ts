import type { Account } from '#lib/service/ground/addresses/account.ts';
import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { alreadyInWorkspace } from '#lib/service/ground/values/refusals.ts';
import type { Workspace } from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { accountWorkspaceWrite } from '#lib/service/people/accounts/accounts-items.ts';
import { nextNumber } from '#lib/service/ground/counters/sequence-items.ts';
import { newWorkspaceWrite } from '#lib/service/people/workspaces/workspaces-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';

/**
 * Creates a workspace with the account as its owner.
 * @param name 1 to 120 characters
 * @throws Refusal if the account already has a workspace
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

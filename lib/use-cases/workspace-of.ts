import type { Account } from '#lib/domain/account.ts';
import { roleOf, type Workspace } from '#lib/domain/workspace.ts';
import type { Deps } from '#lib/deps.ts';
import { findWorkspace } from '#lib/store/workspaces.ts';

/** The workspace of which an account is a member now, if any. */
export async function workspaceOf({ table }: Deps, { id, workspaceId }: Account): Promise<Workspace | undefined> {
  const workspace = workspaceId === undefined ? undefined : await findWorkspace(table, workspaceId);
  return workspace && roleOf(workspace, id) ? workspace : undefined;
}

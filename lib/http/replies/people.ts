import type { Account } from '#lib/domain/account.ts';
import { roleOf, type Membership, type Workspace } from '#lib/domain/workspace.ts';

export const accountReply = ({ id, email, name }: Account) => ({ id, email, name });

/** The workspace as its member sees it beside their account; null without one. */
export const ownWorkspaceReply = (workspace: Workspace | undefined, accountId: number) =>
  workspace ? { id: workspace.id, name: workspace.name, role: roleOf(workspace, accountId) } : null;

export const workspaceReply = (workspace: Workspace, accountId: number) => ({
  ...ownWorkspaceReply(workspace, accountId),
  created_at: workspace.createdAt,
});

/** @param account of an active member; a pending one has none */
export const memberReply = (membership: Membership, account: Account | undefined) => ({
  account_id: membership.accountId ?? null,
  email: account?.email ?? membership.email,
  name: account?.name ?? null,
  role: membership.role,
  status: membership.accountId === undefined ? 'pending' : 'active',
  joined_at: membership.joinedAt ?? null,
});

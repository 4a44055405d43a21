import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { ListedToken } from '#lib/service/programs/keys/login-tokens.ts';
import type { AccountPlace, ReceivedInvitation } from '#lib/service/programs/program/place-of.ts';
import {
  hasFrozenPayouts,
  membershipIn,
  type Membership,
  type Workspace,
} from '#lib/service/people/workspaces/workspace.ts';
import type * as wire from '#lib/wire/people/people.ts';

export const accountReply = ({ id, email, name }: Account): wire.Account => ({ id, email, name });

/** The workspace as its member sees it, next to their account. */
const ownWorkspaceReply = (workspace: Workspace, accountId: number): wire.OwnWorkspace => ({
  id: workspace.id,
  name: workspace.name,
  role: membershipIn(workspace, { accountId }).role,
});

const invitationReply = ({ workspace, membership, inviter }: ReceivedInvitation): wire.Invitation => ({
  workspace_id: workspace.id,
  name: workspace.name,
  role: membership.role,
  invited_by: inviter?.name ?? null,
  invited_at: membership.invitedAt,
});

export const placeReply = (account: Account, { workspace, invitations }: AccountPlace): wire.Place => ({
  account: accountReply(account),
  workspace: workspace ? ownWorkspaceReply(workspace, account.id) : null,
  invitations: invitations.map(invitationReply),
});

export const workspaceReply = (workspace: Workspace, accountId: number): wire.Workspace => ({
  ...ownWorkspaceReply(workspace, accountId),
  payouts_frozen: hasFrozenPayouts(workspace),
  created_at: workspace.createdAt,
});

export const tokenReply = ({
  id,
  kind,
  createdAt,
  lastUsedOn,
  address,
  browser,
  place,
  isCurrent,
}: ListedToken): wire.LoginToken => ({
  id,
  kind,
  created_at: createdAt,
  last_used_on: lastUsedOn,
  address: address ?? null,
  browser: browser ?? null,
  place: place ?? null,
  current: isCurrent,
});

/** A member of a workspace. @param account the account of an active member; pending members have none */
export const memberReply = (membership: Membership, account: Account | undefined): wire.Member => ({
  account_id: membership.accountId ?? null,
  email: account?.email ?? membership.email,
  name: account?.name ?? null,
  role: membership.role,
  status: membership.accountId === undefined ? 'pending' : 'active',
  joined_at: membership.joinedAt ?? null,
});

import type { Account } from '#lib/service/ground/addresses/account.ts';
import {
  inviterOf,
  type Membership,
  membershipOf,
  roleOf,
  type Workspace,
} from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';
import { findWorkspace, newestInvitations } from '#lib/service/people/workspaces/workspaces-items.ts';

/**
 * Maximum invitations that are shown, because thousands may be sent to one address. Older invitations are shown once
 * these are answered.
 */
const MOST_INVITATIONS = 50;

export interface ReceivedInvitation {
  readonly workspace: Workspace;
  readonly membership: Membership;
  readonly inviter: Account | undefined;
}

/** The workspace of an account, and the account's invitations to other workspaces. */
export interface AccountPlace {
  readonly workspace: Workspace | undefined;
  /** The newest invitations, newest first. */
  readonly invitations: readonly ReceivedInvitation[];
}

export async function placeOf(deps: Deps, account: Account): Promise<AccountPlace> {
  const [workspace, invitations] = await Promise.all([workspaceOf(deps, account), invitationsOf(deps, account)]);
  return { workspace, invitations };
}

/** The workspace to which an account currently belongs, if any. */
async function workspaceOf({ table }: Deps, { id, workspaceId }: Account): Promise<Workspace | undefined> {
  const workspace = workspaceId === undefined ? undefined : await findWorkspace(table, workspaceId);
  return workspace && roleOf(workspace, id) ? workspace : undefined;
}

/** Loads an account's invitations. Role and workspace name are the present ones, not those at the invitation. */
async function invitationsOf({ table }: Deps, { email }: Account): Promise<ReceivedInvitation[]> {
  const invitations = await newestInvitations(table, email, MOST_INVITATIONS);
  const received = await Promise.all(
    invitations.map(async ({ workspaceId }) => {
      const workspace = await findWorkspace(table, workspaceId);
      const membership = workspace && membershipOf(workspace, { email });
      if (!workspace || !membership) return [];
      const inviterId = inviterOf(workspace, membership);
      return [
        { workspace, membership, inviter: inviterId === undefined ? undefined : await findAccount(table, inviterId) },
      ];
    }),
  );
  return received.flat();
}

import type { Workspace } from '#lib/service/people/workspaces/workspace.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

export const findWorkspace = (table: Table, workspaceId: number): Promise<Workspace | undefined> =>
  table.get<Workspace>(keys.workspace(workspaceId));

export const newWorkspaceWrite = (workspace: Workspace): Write => ({
  name: 'workspace',
  key: keys.workspace(workspace.id),
  put: workspace,
  condition: { isNew: true },
});

/** The write of a workspace. Fails if another change was written first. This request then reloads and decides again. */
export const changedWorkspaceWrite = (before: Workspace, after: Workspace): Write => ({
  name: 'workspace',
  key: keys.workspace(after.id),
  put: after,
  condition: { equals: { version: before.version } },
});

/** A check. Fails if payouts were frozen first. This request then reloads and decides again. */
export const payoutsFlowCheck = (workspaceId: number): Write => ({
  name: PAYOUTS_FLOW,
  key: keys.workspace(workspaceId),
  check: true,
  condition: { equals: { payoutsFrozenBy: undefined } },
});

/** The name under which a failed `payoutsFlowCheck` is reported. */
export const PAYOUTS_FLOW = 'payoutsFlow';

/** An invitation, listed under the invited address. */
export interface Invitation {
  readonly workspaceId: number;
  readonly email: string;
  readonly invitedAt: string;
}

export const invitationWrite = ({ workspaceId, email, invitedAt }: Invitation): Write => ({
  name: 'invitation',
  key: keys.invitation(email, invitedAt, workspaceId),
  put: { workspaceId, email, invitedAt } satisfies Invitation,
});

export const withdrawnInvitationWrite = ({ workspaceId, email, invitedAt }: Invitation): Write => ({
  name: 'invitation',
  key: keys.invitation(email, invitedAt, workspaceId),
  remove: true,
});

/** The newest invitations of an address. Any workspace can create one, so the number read is limited. */
export const newestInvitations = (table: Table, email: string, most: number): Promise<Invitation[]> =>
  table.query<Invitation>(keys.invitation(email, '', 0).pk, { most, newestFirst: true });

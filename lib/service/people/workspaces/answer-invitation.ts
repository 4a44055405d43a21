import { changesBetween, memberTarget } from '#lib/service/ground/changes/audit.ts';
import { alreadyInWorkspace, invitationNotFound } from '#lib/service/ground/values/refusals.ts';
import {
  type Membership,
  membershipOf,
  withJoined,
  withoutMember,
  type Workspace,
} from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { accountWorkspaceWrite, findAccount } from '#lib/service/people/accounts/accounts-items.ts';
import {
  changedWorkspaceWrite,
  findWorkspace,
  withdrawnInvitationWrite,
} from '#lib/service/people/workspaces/workspaces-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkAccountIsOpen } from '#lib/service/people/accounts/check-account-is-open.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Accepts a workspace's invitation. Membership, invitation and account change in one transaction. If two acceptances,
 * or an acceptance and a withdrawal, race, the second one decides again.
 * @param workspaceId undefined if the request named no valid workspace
 * @throws Refusal if there is no invitation, or the account has a workspace
 */
export const joinWorkspace = (deps: Deps, accountId: number, workspaceId: number | undefined): Promise<Workspace> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const { before, pending, account } = await invitationOf(deps, accountId, workspaceId);
    if (account.workspaceId !== undefined) throw alreadyInWorkspace();
    await checkAccountIsOpen(deps, accountId);
    const after = withJoined(before, pending.email, accountId, now.toISOString());
    await table.transact([
      changedWorkspaceWrite(before, after),
      withdrawnInvitationWrite({ ...pending, workspaceId: before.id }),
      accountWorkspaceWrite(accountId, undefined, before.id),
      ...auditWrites(deps, before.id, {
        action: 'member.joined',
        target: memberTarget({ ...pending, accountId }),
        changes: changesBetween({}, { role: pending.role }),
      }),
    ]);
    return after;
  });

/** Declines a workspace's invitation. @throws Refusal if there is no invitation */
export const declineInvitation = (
  deps: Pick<Deps, 'table' | 'now' | 'random' | 'actor'>,
  accountId: number,
  workspaceId: number | undefined,
): Promise<void> =>
  retryOnConflict(deps, async () => {
    const { before, pending } = await invitationOf(deps, accountId, workspaceId);
    await deps.table.transact([
      changedWorkspaceWrite(before, withoutMember(before, { email: pending.email })),
      withdrawnInvitationWrite({ ...pending, workspaceId: before.id }),
      ...auditWrites(deps, before.id, {
        action: 'invitation.declined',
        target: memberTarget(pending),
      }),
    ]);
  });

async function invitationOf({ table }: Pick<Deps, 'table'>, accountId: number, workspaceId: number | undefined) {
  const [account, before] = await Promise.all([
    findAccount(table, accountId),
    workspaceId === undefined ? undefined : findWorkspace(table, workspaceId),
  ]);
  const pending: Membership | undefined = account && before && membershipOf(before, { email: account.email });
  if (!account || !before || !pending) throw invitationNotFound();
  return { account, before, pending };
}

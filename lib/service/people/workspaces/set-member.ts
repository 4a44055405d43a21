import { changesBetween, memberTarget } from '#lib/service/ground/changes/audit.ts';
import { addressOf } from '#lib/service/ground/addresses/email.ts';
import { noWorkspace } from '#lib/service/ground/values/refusals.ts';
import {
  type Member,
  type MemberRole,
  type Membership,
  membershipOf,
  withMember,
  type Workspace,
} from '#lib/service/people/workspaces/workspace.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { countNotice } from '#lib/service/people/invitations/count-invitation.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccountByEmail } from '#lib/service/people/accounts/accounts-items.ts';
import {
  changedWorkspaceWrite,
  findWorkspace,
  invitationWrite,
} from '#lib/service/people/workspaces/workspaces-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { type MemberOfWorkspace, withAccount } from '#lib/service/people/workspaces/list-members.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Sets the role of the member with this e-mail, or invites the address: the membership is pending until an account with
 * that address accepts.
 * @param wanted e-mail trimmed and in lower case; `invitedBy` the id of the inviting account
 * @throws Refusal if no owner would remain, or there are too many members
 */
export const setMember = (
  deps: Deps,
  workspaceId: number,
  { email, role, invitedBy }: { readonly email: string; readonly role: MemberRole; readonly invitedBy?: number },
): Promise<MemberOfWorkspace> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const [workspace, account] = await Promise.all([
      findWorkspace(table, workspaceId),
      findAccountByEmail(table, email),
    ]);
    if (!workspace) throw noWorkspace();
    const member = memberWith(workspace, email, account?.accountId);
    const invited = { email, role, invitedAt: now.toISOString(), invitedBy };
    const after = withMember(workspace, member, invited);
    const before = membershipOf(workspace, member);
    await table.transact([
      changedWorkspaceWrite(workspace, after),
      ...(before
        ? []
        : [invitationWrite({ workspaceId, ...invited }), ...(await invitationMail(deps, workspace, invited))]),
      ...auditWrites(deps, workspaceId, {
        action: before ? 'member.changed' : 'member.invited',
        target: memberTarget({ accountId: before?.accountId, email }),
        changes: changesBetween({ role: before?.role }, { role }),
      }),
    ]);
    return withAccount(deps, membershipOf(after, member) ?? invited);
  });

/**
 * Queues a mail about an invitation. If the person or the workspace has reached a limit for mails to strangers, no mail
 * is sent; the person still sees the invitation after signing in.
 */
async function invitationMail(
  deps: Deps,
  { id: workspaceId, name: workspaceName }: Workspace,
  { email }: Pick<Membership, 'email'>,
): Promise<Write[]> {
  const counted = await countNotice(deps, { workspaceId }, email);
  if (!counted) return [];
  const { now, random, actor } = deps;
  const data = { workspaceId, workspaceName, inviterName: actor?.name };
  const fact = `${workspaceId} ${random.requestId()}`;
  return [...counted, ...mailWrites({ kind: 'member_invited', fact, to: { email }, data, now })];
}

/**
 * Whether the change makes someone an owner, or changes the role of an owner.
 * @param sent the body as sent, not yet validated
 */
export async function changesOwners(
  { table }: Pick<Deps, 'table'>,
  workspace: Workspace,
  { email, role }: { readonly email?: unknown; readonly role?: unknown },
): Promise<boolean> {
  if (role === 'owner') return true;
  const address = typeof email === 'string' ? addressOf(email) : undefined;
  if (address === undefined) return false;
  const account = await findAccountByEmail(table, address);
  return membershipOf(workspace, memberWith(workspace, address, account?.accountId))?.role === 'owner';
}

/** Identifies a member by account id, or by address if the member has no account. */
const memberWith = (workspace: Workspace, email: string, accountId: number | undefined): Member =>
  accountId !== undefined && membershipOf(workspace, { accountId }) ? { accountId } : { email };

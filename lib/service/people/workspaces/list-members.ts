import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Membership, Workspace } from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';

export interface MemberOfWorkspace {
  readonly membership: Membership;
  /** The account of the member; undefined while the membership is pending. */
  readonly account?: Account;
}

const positionOf = ({ invitedAt, email }: Membership): string => `${invitedAt}#${email}`;

/**
 * The members after a position in the list. If the member at the position has left, these are the members who were
 * invited later.
 */
function membersAfter(members: readonly Membership[], position: string): readonly Membership[] {
  const last = members.findIndex((membership) => positionOf(membership) === position);
  return last < 0 ? members.filter(({ invitedAt }) => invitedAt > position) : members.slice(last + 1);
}

/** Members, including pending ones, oldest first. */
export async function listMembers(
  deps: Deps,
  { members }: Workspace,
  { most, after = '' }: PageRequest,
): Promise<Page<MemberOfWorkspace>> {
  const following = membersAfter(members, after);
  const page = following.slice(0, most);
  const items = await Promise.all(page.map((membership) => withAccount(deps, membership)));
  return { items, next: following.length > most ? positionOf(page.at(-1)!) : undefined };
}

/** A membership with the account's current name and address. */
export const withAccount = async ({ table }: Deps, membership: Membership): Promise<MemberOfWorkspace> => ({
  membership,
  account: membership.accountId === undefined ? undefined : await findAccount(table, membership.accountId),
});

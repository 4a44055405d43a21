import type { Account } from '#lib/domain/account.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Membership, Workspace } from '#lib/domain/workspace.ts';
import type { Deps } from '#lib/deps.ts';
import { findAccount } from '#lib/store/accounts.ts';

export interface MemberOfWorkspace {
  readonly membership: Membership;
  /** Absent while pending. */
  readonly account?: Account;
}

/** Members and pending ones, oldest first. */
export async function listMembers(
  deps: Deps,
  { members }: Workspace,
  { most, after = '0' }: PageRequest,
): Promise<Page<MemberOfWorkspace>> {
  const from = Number(after);
  const until = from + most;
  const items = await Promise.all(members.slice(from, until).map((membership) => withAccount(deps, membership)));
  return { items, next: until < members.length ? String(until) : undefined };
}

/** A membership with the name and address that its account has now. */
export const withAccount = async ({ table }: Deps, membership: Membership): Promise<MemberOfWorkspace> => ({
  membership,
  account: membership.accountId === undefined ? undefined : await findAccount(table, membership.accountId),
});

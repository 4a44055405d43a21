import type { Account } from '#lib/service/ground/addresses/account.ts';
import { changesBetween, memberTarget } from '#lib/service/ground/changes/audit.ts';
import { accountNotFound } from '#lib/service/ground/values/refusals.ts';
import { membershipOf, withoutMember } from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findAccount,
  findAccountByEmail,
  revokedTokenWrites,
  tokensOf,
} from '#lib/service/people/accounts/accounts-items.ts';
import { closingAccountWrite, goneAccountWrites, ownItemsWrites } from '#lib/service/programs/closing/closing-items.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { partnersOfAccount } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { changedWorkspaceWrite, findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { closePartnership } from '#lib/service/programs/closing/close-partnership.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

type ClosingDeps = Pick<Deps, 'table' | 'now' | 'random' | 'actor'>;

/**
 * Closes an account: ends the person's partnerships, sessions and membership, and deletes all personal data except what
 * payouts need. What other people stored under the address alone, such as invitations, stays for the next owner of that
 * address. The account is marked as closing first and removed last, so if a call is interrupted, the next call
 * continues.
 * @throws Refusal when a workspace would have no owner
 */
export async function closeAccount(deps: ClosingDeps, accountId: number): Promise<void> {
  const { table } = deps;
  const account = await markedAccount(deps, accountId);
  if (!account) return;
  table.forget();
  for (const pointer of await partnersOfAccount(table, accountId)) await closePartnership(deps, accountId, pointer);
  const tokens = (await tokensOf(table, accountId)).map(({ hash }) => revokedTokenWrites(accountId, hash));
  await inTurn(deps, [...tokens, ...(await ownItemsWrites(table, accountId)).map((write) => [write])]);
  await retryOnConflict(deps, async () => table.transact(await goneAccountWrites(table, account)));
}

/**
 * Closes the account with this e-mail address.
 * @param email trimmed and lower-cased
 * @throws Refusal when no account has it
 */
export async function closeAccountOf(deps: ClosingDeps, email: string): Promise<number> {
  const found = await findAccountByEmail(deps.table, email);
  if (!found) throw accountNotFound(email);
  await closeAccount(deps, found.accountId);
  return found.accountId;
}

/**
 * Marks the account as closing: from then on it gets no token, details, partner or workspace.
 * @returns undefined when it is closed already
 */
const markedAccount = (deps: ClosingDeps, accountId: number): Promise<Account | undefined> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const account = await findAccount(table, accountId);
    if (!account || account.closingAt !== undefined) return account;
    const left = await leftWorkspaceWrites(deps, account);
    const at = now.toISOString();
    await table.transact([closingAccountWrite(account, at), ...left, ...closedMail(account, at)]);
    return account;
  });

/** The mail that confirms the closing. Its recipient has no account id, and it is deleted like any other mail. */
const closedMail = ({ id, email, name }: Account, at: string): Write[] =>
  mailWrites({ kind: 'account_closed', fact: String(id), to: { email, name }, data: { at }, now: new Date(at) });

/** Writes that remove the person from their workspace. @throws Refusal when no owner would be left */
async function leftWorkspaceWrites(
  deps: ClosingDeps,
  { id: accountId, email, workspaceId }: Account,
): Promise<Write[]> {
  const workspace = workspaceId === undefined ? undefined : await findWorkspace(deps.table, workspaceId);
  const membership = workspace && membershipOf(workspace, { accountId });
  if (!workspace || !membership) return [];
  return [
    changedWorkspaceWrite(workspace, withoutMember(workspace, { accountId })),
    ...auditWrites(deps, workspace.id, {
      action: 'member.removed',
      target: memberTarget({ accountId, email }),
      changes: changesBetween({ role: membership.role }, { role: undefined }),
    }),
  ];
}

/** How many repeatable writes each transaction makes. */
const WRITES_AT_ONCE = 50;
async function inTurn({ table }: ClosingDeps, groups: readonly (readonly Write[])[]): Promise<void> {
  for (let at = 0; at < groups.length; at += WRITES_AT_ONCE) {
    await table.transact(groups.slice(at, at + WRITES_AT_ONCE).flat());
  }
}

import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { findAccountByEmail, findIdentity } from '#lib/service/people/accounts/accounts-items.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { forgottenAccountWrite } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { formerWordWrites } from '#lib/service/programs/words/words-items.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// This file deletes items when a person closes their account.

/**
 * The write that marks the account as closing. From then on, no one can sign in to it, it cannot become a partner or
 * member, and it leaves its workspace.
 */
export const closingAccountWrite = ({ id, workspaceId }: Account, closingAt: string): Write => ({
  name: 'account',
  key: keys.account(id),
  change: { set: { closingAt, workspaceId: undefined } },
  condition: { exists: true, equals: { workspaceId, closingAt: undefined } },
});

/**
 * Writes that remove the account from a partner, and the partner's address from the workspace's list. Words that lead
 * the search to this partner are removed, if the partner has them in no other program of the workspace.
 */
export async function forgottenPersonWrites(
  table: Table,
  { workspaceId }: Program,
  accountId: number,
  before: Partner,
  after: Partner,
): Promise<Write[]> {
  const { email, programId, id } = before;
  const known = email === undefined ? undefined : await findPartnerByEmail(table, workspaceId, email);
  const pointer = forgottenAccountWrite(accountId, before);
  const words = formerWordWrites(workspaceId, before, after);
  if (email === undefined || known?.id !== id) return [pointer, ...words];
  const { name, programIds } = known;
  const isLast = [...programIds].every((one) => one === programId);
  const of = { name: 'knownEmail', key: keys.partnerEmail(workspaceId, email) };
  // Closes the race with another program of the workspace that adds the person: this request then removes its program
  // from the list that the other one wrote.
  const condition = { equals: { id, name, programIds } };
  return [
    pointer,
    ...(isLast
      ? [{ ...of, remove: true, condition } as const, ...words]
      : [{ ...of, change: { takeOut: { programIds: new Set([programId]) } }, condition }]),
  ];
}

/**
 * Matches the sort keys of the items that are removed last, because they are needed to find the account, its tokens and
 * its partners after an interruption.
 */
const REMOVED_LAST = /^(?:ACCOUNT$|TOKEN#|PARTNER#|IDENTITY#)/;

/** Writes that remove items stored only for the account: payout details, former details and the log of readers. */
export async function ownItemsWrites(table: Table, accountId: number): Promise<Write[]> {
  const items = await table.query<Key>(keys.account(accountId).pk);
  return items
    .filter(({ sk }) => !REMOVED_LAST.test(sk))
    .map(({ pk, sk }) => ({ name: sk, key: { pk, sk }, remove: true }));
}

/**
 * Writes that remove the account itself, and the items that find it by address and by identity, unless these already
 * belong to a new account.
 */
export async function goneAccountWrites(table: Table, { id, email }: Account): Promise<Write[]> {
  const notes = await table.query<Key & { readonly issuer: string; readonly subject: string }>(keys.account(id).pk, {
    prefix: 'IDENTITY#',
  });
  const [holder, ...owners] = await Promise.all([
    findAccountByEmail(table, email),
    ...notes.map(({ issuer, subject }) => findIdentity(table, issuer, subject)),
  ]);
  const own = { condition: { equals: { accountId: id } }, remove: true } as const;
  return [
    { name: 'account', key: keys.account(id), remove: true },
    ...(holder?.accountId === id ? [{ name: 'email', key: keys.accountEmail(email), ...own }] : []),
    ...notes.flatMap(({ pk, sk, issuer, subject }, index): Write[] => [
      { name: sk, key: { pk, sk }, remove: true },
      ...(owners[index]?.accountId === id ? [{ name: 'identity', key: keys.identity(issuer, subject), ...own }] : []),
    ]),
  ];
}

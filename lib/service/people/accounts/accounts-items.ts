import type { Account, Identity } from '#lib/service/ground/addresses/account.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { type Device, tokenEnd } from '#lib/service/ground/addresses/login-token.ts';
import type { Condition } from '#lib/service/ground/table/expressions.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

interface AccountPointer {
  readonly accountId: number;
}

export const findAccount = (table: Table, accountId: number): Promise<Account | undefined> =>
  table.get<Account>(keys.account(accountId));

/** The account that an issuer's subject belongs to. */
export const findIdentity = (table: Table, issuer: string, subject: string): Promise<AccountPointer | undefined> =>
  table.get<AccountPointer>(keys.identity(issuer, subject));

export const findAccountByEmail = (table: Table, email: string): Promise<AccountPointer | undefined> =>
  table.get<AccountPointer>(keys.accountEmail(email));

/** Writes by which somebody signs in to an account. @param closed the account to which it belonged, and which is closed */
export const identityWrites = (
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  accountId: number,
  closed?: number,
): Write[] => [
  {
    name: 'identity',
    key: keys.identity(issuer, subject),
    put: { accountId } satisfies AccountPointer,
    // The same person signs in twice at once for the first time: the loser finds the account that the winner made.
    condition: newOrOf(closed),
  },
  { name: 'accountIdentity', key: keys.accountIdentity(accountId, issuer, subject), put: { issuer, subject } },
];

const newOrOf = (closed: number | undefined): Condition =>
  closed === undefined ? { isNew: true } : { equals: { accountId: closed } };

/** @param closed the account that had the address, and which is closed */
export const newAccountWrites = (account: Account, closed?: number): Write[] => [
  { name: 'account', key: keys.account(account.id), put: account, condition: { isNew: true } },
  emailWrite(account, closed),
];

/** Holds while an account is not closed: of a closing at the same moment one is decided again. */
export const openAccountCheck = (accountId: number): Write => ({
  name: 'openAccount',
  key: keys.account(accountId),
  check: true,
  condition: { exists: true, equals: { closingAt: undefined } },
});

/** Keeps an account's address and name as its issuer names them now. @param closed the account that had the new address, and which is closed */
export const refreshedAccountWrites = (before: Account, after: Account, closed?: number): Write[] => [
  {
    name: 'account',
    key: keys.account(after.id),
    change: { set: { email: after.email, name: after.name } },
    condition: { equals: { email: before.email, closingAt: undefined } },
  },
  ...(before.email === after.email
    ? []
    : [{ name: 'oldEmail', key: keys.accountEmail(before.email), remove: true } as const, emailWrite(after, closed)]),
];

const emailWrite = ({ email, id }: Account, closed?: number): Write => ({
  name: 'email',
  key: keys.accountEmail(email),
  put: { accountId: id } satisfies AccountPointer,
  condition: newOrOf(closed),
});

/** Adds an account to a workspace, or removes it. An account belongs to one workspace at most. */
export const accountWorkspaceWrite = (accountId: number, from: number | undefined, to: number | undefined): Write => ({
  name: 'account',
  key: keys.account(accountId),
  change: { set: { workspaceId: to } },
  // An account that is being closed comes into no workspace, and leaves it with that.
  condition: { exists: true, equals: { workspaceId: from, closingAt: undefined } },
});

interface NewToken {
  readonly now: Date;
  /** ISO 8601. */
  readonly signedInAt: string;
  readonly device: Device;
  /** Of the account from now on; absent: those that it has. */
  readonly browsers?: readonly string[];
}

/** A login token: its hash with its account, and an item below the account, so that suspension finds it. */
export const newTokenWrites = (
  accountId: number,
  token: string,
  { now, signedInAt, device, browsers }: NewToken,
): Write[] => {
  const hash = sha256(token);
  const createdAt = now.toISOString();
  const used = { lastUsedOn: dayOf(now), ...expiry(tokenEnd(device.kind, now)) };
  const account = {
    name: 'account',
    key: keys.account(accountId),
    // A concurrent suspension, or closing, revokes the tokens it finds; a new one must not be created after that.
    condition: { exists: true, equals: { suspendedAt: undefined, closingAt: undefined } },
  } as const;
  return [
    {
      name: 'token',
      key: keys.credential(hash),
      put: { class: 'loginToken', accountId, ...device, createdAt, signedInAt, ...used },
      condition: { isNew: true },
    },
    {
      name: 'note',
      key: keys.accountToken(accountId, hash),
      // It is not changed by uses, so it stays as long as the token may.
      put: { hash, expires_at: secondsOf(tokenEnd('cli', now)) },
    },
    browsers ? { ...account, change: { set: { browsers } } } : { ...account, check: true },
  ];
};

const secondsOf = (time: Date): number => Math.ceil(time.getTime() / 1_000);
const expiry = (end: Date) => ({ expiresAt: end.toISOString(), expires_at: secondsOf(end) });

/**
 * Records that a token is used on this day, and when it ends unless it is used again. A token revoked meanwhile stays
 * revoked; of two uses at once the one of the later day counts.
 */
export const recordTokenUse = (
  table: Table,
  hash: string,
  { lastUsedOn, end }: { readonly lastUsedOn: string; readonly end: Date },
): Promise<unknown> =>
  table.update(keys.credential(hash), { set: { lastUsedOn, ...expiry(end) } }, { exists: true, below: { lastUsedOn } });

export const revokedTokenWrites = (accountId: number, hash: string): Write[] => [
  { name: 'token', key: keys.credential(hash), remove: true },
  { name: 'note', key: keys.accountToken(accountId, hash), remove: true },
];

/**
 * Ends a token so that another one has its place. Two sign-ins race for the same place: the loser decides again.
 * @param hash of a token that is in the table
 */
export const replacedTokenWrites = (accountId: number, hash: string): Write[] => [
  { name: 'replaced', key: keys.credential(hash), remove: true, condition: { exists: true } },
  { name: 'replacedNote', key: keys.accountToken(accountId, hash), remove: true },
];

/** Forgets a token that has ended by itself. Where another sign-in has ended it this moment, there is more to decide again. */
export const forgottenTokenWrite = (accountId: number, hash: string): Write => ({
  name: 'forgottenNote',
  key: keys.accountToken(accountId, hash),
  remove: true,
  condition: { exists: true },
});

/** An account's tokens, ended ones that are not yet removed included. */
export const tokensOf = (table: Table, accountId: number): Promise<{ readonly hash: string }[]> =>
  table.query(keys.account(accountId).pk, { prefix: 'TOKEN#' });

export const markSuspended = (table: Table, accountId: number, suspendedAt: string | undefined): Promise<unknown> =>
  table.update(keys.account(accountId), { set: { suspendedAt } }, { exists: true });

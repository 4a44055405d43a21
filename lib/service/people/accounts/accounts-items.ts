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

/** The item that leads from an issuer's subject to an account; undefined if the subject is unknown. */
export const findIdentity = (table: Table, issuer: string, subject: string): Promise<AccountPointer | undefined> =>
  table.get<AccountPointer>(keys.identity(issuer, subject));

export const findAccountByEmail = (table: Table, email: string): Promise<AccountPointer | undefined> =>
  table.get<AccountPointer>(keys.accountEmail(email));

/** Writes that let an identity sign in to an account. @param closed id of a closed account that had the identity */
export const identityWrites = (
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  accountId: number,
  closed?: number,
): Write[] => [
  {
    name: 'identity',
    key: keys.identity(issuer, subject),
    put: { accountId } satisfies AccountPointer,
    // Fails if another first sign-in of the same person was written first. This request then reloads and uses the
    // account that the other one has created.
    condition: newOrOf(closed),
  },
  { name: 'accountIdentity', key: keys.accountIdentity(accountId, issuer, subject), put: { issuer, subject } },
];

const newOrOf = (closed: number | undefined): Condition =>
  closed === undefined ? { isNew: true } : { equals: { accountId: closed } };

/** Writes of a new account. @param closed id of a closed account that had the address before */
export const newAccountWrites = (account: Account, closed?: number): Write[] => [
  { name: 'account', key: keys.account(account.id), put: account, condition: { isNew: true } },
  emailWrite(account, closed),
];

/** Checks that the account is not being closed. Fails if it is; this request then reloads and decides again. */
export const openAccountCheck = (accountId: number): Write => ({
  name: 'openAccount',
  key: keys.account(accountId),
  check: true,
  condition: { exists: true, equals: { closingAt: undefined } },
});

/**
 * Updates an account's address and name from the issuer's claims.
 * @param closed id of a closed account that had the new address before
 */
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

/** The write that sets or removes an account's workspace. An account belongs to at most one workspace. */
export const accountWorkspaceWrite = (accountId: number, from: number | undefined, to: number | undefined): Write => ({
  name: 'account',
  key: keys.account(accountId),
  change: { set: { workspaceId: to } },
  // An account that is being closed cannot join a workspace, but it can leave its workspace.
  condition: { exists: true, equals: { workspaceId: from, closingAt: undefined } },
});

interface NewToken {
  readonly now: Date;
  /** When the person signed in with the issuer, ISO 8601. */
  readonly signedInAt: string;
  readonly device: Device;
  /** The account's new list of browsers; undefined leaves it unchanged. */
  readonly browsers?: readonly string[];
}

/**
 * Writes of a login token: an item at its hash that names the account, and an item below the account, by which a
 * suspension finds the token.
 */
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
    // Fails if the account was suspended or is being closed. Suspension and closing revoke only the tokens that they
    // find, so no token may be created after that.
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
      // The use of a token does not update this item, so the item is stored for a token's maximum lifetime.
      put: { hash, expires_at: secondsOf(tokenEnd('cli', now)) },
    },
    browsers ? { ...account, change: { set: { browsers } } } : { ...account, check: true },
  ];
};

const secondsOf = (time: Date): number => Math.ceil(time.getTime() / 1_000);
const expiry = (end: Date) => ({ expiresAt: end.toISOString(), expires_at: secondsOf(end) });

/**
 * Records the day of a token's use and its new expiry. A token revoked in the meantime stays revoked. Of two concurrent
 * uses, the later day stays stored.
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
 * Removes a token to make room. Fails if another sign-in has removed it first. This request then decides again.
 * @param hash of a stored token
 */
export const replacedTokenWrites = (accountId: number, hash: string): Write[] => [
  { name: 'replaced', key: keys.credential(hash), remove: true, condition: { exists: true } },
  { name: 'replacedNote', key: keys.accountToken(accountId, hash), remove: true },
];

/**
 * The write that removes an expired token from the account. Fails if another sign-in has removed it first. This request
 * then reloads and decides again.
 */
export const forgottenTokenWrite = (accountId: number, hash: string): Write => ({
  name: 'forgottenNote',
  key: keys.accountToken(accountId, hash),
  remove: true,
  condition: { exists: true },
});

/** An account's tokens, including expired ones that are not yet deleted. */
export const tokensOf = (table: Table, accountId: number): Promise<{ readonly hash: string }[]> =>
  table.query(keys.account(accountId).pk, { prefix: 'TOKEN#' });

export const markSuspended = (table: Table, accountId: number, suspendedAt: string | undefined): Promise<unknown> =>
  table.update(keys.account(accountId), { set: { suspendedAt } }, { exists: true });

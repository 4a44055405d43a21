import { type Account, accountName, type Identity, statedName } from '#lib/service/ground/addresses/account.ts';
import { accountSuspended, emailDomainRefused, invitationNeeded } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findAccount,
  findAccountByEmail,
  findIdentity,
  identityWrites,
  newAccountWrites,
  refreshedAccountWrites,
} from '#lib/service/people/accounts/accounts-items.ts';
import type { IdToken } from '#lib/service/people/accounts/id-tokens-items.ts';
import { partnersOfAddress } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { newestInvitations } from '#lib/service/people/workspaces/workspaces-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { nextNumber } from '#lib/service/ground/counters/sequence-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** An identity with the `id_token` that proves it. */
export interface SignedIdentity extends Identity {
  /** When the identity provider authenticated the person, ISO 8601. */
  readonly signedInAt: string;
  readonly idToken: IdToken;
}

/**
 * The account of a verified identity: found by issuer and subject, otherwise by e-mail, otherwise created. Its e-mail
 * is updated, and its name if the identity has one. Signing in joins no workspace; invitations must be accepted.
 * @throws Refusal if the account is suspended, or the installation's sign-up settings exclude the person
 */
export const signIn = (deps: Deps, identity: Identity): Promise<Account> =>
  retryOnConflict(deps, () => refreshedAccount(deps, identity, () => refuseStranger(deps, identity)));

/** Does the same as `signIn`, but without the sign-up settings, for the installation's own people. */
export const signInOwn = (deps: Deps, identity: Identity): Promise<Account> =>
  retryOnConflict(deps, () => refreshedAccount(deps, identity));

async function refreshedAccount(
  deps: Deps,
  identity: Identity,
  beforeCreation?: () => Promise<void>,
): Promise<Account> {
  const { table } = deps;
  const { issuer, subject, email } = identity;
  const [known, sameEmail] = await Promise.all([
    findIdentity(table, issuer, subject),
    findAccountByEmail(table, email),
  ]);
  const [ownAccount, holder] = await Promise.all([openAccountOf(table, known), openAccountOf(table, sameEmail)]);
  const before = ownAccount ?? holder;
  // The identity and the address of a closed or closing account can be used again.
  const closed = {
    identity: ownAccount ? undefined : known?.accountId,
    email: holder ? undefined : sameEmail?.accountId,
  };
  if (!before) {
    await beforeCreation?.();
    return createAccount(deps, identity, closed);
  }
  if (before.suspendedAt) throw accountSuspended();
  // If the address already belongs to another account, that account keeps it.
  const isFree = holder === undefined || holder.id === before.id;
  // Some issuers send the name only at the first sign-in.
  const after = { ...before, name: statedName(identity) || before.name, email: isFree ? email : before.email };
  const isRefreshed = after.name !== before.name || after.email !== before.email;
  const writes = [
    ...(ownAccount ? [] : identityWrites(identity, before.id, closed.identity)),
    // This write is needed even for a new identity, because its condition fails if the account is closed at the same
    // moment.
    ...(isRefreshed || !ownAccount ? refreshedAccountWrites(before, after, closed.email) : []),
  ];
  if (writes.length > 0) await table.transact(writes);
  return after;
}

/** Loads the account of an identity or address; undefined if the account is being closed. */
async function openAccountOf(
  table: Table,
  pointer: { readonly accountId: number } | undefined,
): Promise<Account | undefined> {
  const account = pointer && (await findAccount(table, pointer.accountId));
  return account?.closingAt === undefined ? account : undefined;
}

/** Checks that the sign-up settings allow a new account. @throws Refusal if they exclude the e-mail address */
async function refuseStranger({ table, config: { signUp } }: Deps, { email }: Identity): Promise<void> {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (signUp.emailDomains && !signUp.emailDomains.includes(domain)) throw emailDomainRefused();
  if (signUp.isByInvitation && !(await isInvited(table, email))) throw invitationNeeded();
}

/** Whether the address has been invited to a workspace, or as a partner of a program. */
async function isInvited(table: Table, email: string): Promise<boolean> {
  const found = await Promise.all([newestInvitations(table, email, 1), partnersOfAddress(table, email, 1)]);
  return found.some(({ length }) => length > 0);
}

/**
 * Creates the account of a person who signs in for the first time.
 * @param closed ids of closed accounts that had the identity and the address before
 */
async function createAccount(
  { table, now }: Deps,
  identity: Identity,
  closed: { readonly identity?: number; readonly email?: number },
): Promise<Account> {
  const { email } = identity;
  const id = await nextNumber(table, 'account');
  const account: Account = { id, email, name: accountName(identity), createdAt: now.toISOString() };
  await table.transact([...newAccountWrites(account, closed.email), ...identityWrites(identity, id, closed.identity)]);
  return account;
}

import { type Account, isNewBrowser, withBrowser } from '#lib/service/ground/addresses/account.ts';
import { sha256, tokenIdOf } from '#lib/service/ground/addresses/credential.ts';
import { type Device, tokenEnd } from '#lib/service/ground/addresses/login-token.ts';
import { accountSuspended, idTokenInvalid } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { usedIdTokenWrite } from '#lib/service/people/accounts/id-tokens-items.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';
import { matchPartners } from '#lib/service/programs/joining/match-partners.ts';
import { newToken } from '#lib/service/people/accounts/new-token.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { type SignedIdentity, signIn } from '#lib/service/people/accounts/sign-in.ts';
import { type AccountPlace, placeOf } from '#lib/service/programs/program/place-of.ts';

export interface OpenedSession extends AccountPlace {
  readonly token: string;
  readonly expiresAt: Date;
  readonly account: Account;
}

/** The device from which a person signs in. */
type From = Omit<Device, 'kind'>;

/**
 * Signs a person in to the pages. The first sign-in from a new browser sends the account a mail.
 * @throws Refusal when the account is suspended, or the `id_token` has opened a session before
 */
export const openSession = (deps: Deps, identity: SignedIdentity, from: From = {}): Promise<OpenedSession> =>
  retryOnConflict(deps, () => openSessionOnce(deps, identity, from));

/**
 * Tries once to sign a person in.
 * @throws ConditionFailed when the account is being closed at this moment; a retry then creates a new account for the
 * identity
 */
async function openSessionOnce(deps: Deps, identity: SignedIdentity, from: From): Promise<OpenedSession> {
  const account = await signIn(deps, identity);
  const token = await tokenFor(deps, account, identity, from);
  deps.table.forget();
  await matchPartners(deps, account);
  return { token, expiresAt: tokenEnd('dashboard', deps.now), account, ...(await placeOf(deps, account)) };
}

async function tokenFor(deps: Deps, account: Account, identity: SignedIdentity, from: From): Promise<string> {
  const { idToken, signedInAt } = identity;
  const { token, writes } = await newToken(deps, account, {
    device: { kind: 'dashboard', ...from },
    signedInAt,
    browsers: withBrowser(account, from.browser),
  });
  await deps.table
    .transact([usedIdTokenWrite('dashboard', idToken), ...writes, ...browserMails(deps, account, token, from)])
    .catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.existing.has('idToken')) throw idTokenInvalid();
      throw error.existing.get('account')?.suspendedAt === undefined ? error : accountSuspended();
    });
  return token;
}

function browserMails({ now }: Deps, account: Account, token: string, { browser, address, place }: From): Write[] {
  if (!isNewBrowser(account, browser)) return [];
  const { id, email, name, workspaceId } = account;
  return mailWrites({
    kind: 'signed_in',
    fact: tokenIdOf(sha256(token)),
    to: { email, name, accountId: id },
    data: { at: now.toISOString(), browser, address, place, ...(workspaceId !== undefined && { isMember: true }) },
    now,
  });
}

import type { Account } from '#lib/domain/account.ts';
import { accountSuspended, idTokenInvalid } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { newTokenWrites } from '#lib/service/store/accounts.ts';
import { usedIdTokenWrite } from '#lib/service/store/id-tokens.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';
import { matchPartners } from '#lib/service/use-cases/match-partners.ts';
import { tokenExpiry } from '#lib/service/use-cases/poll-login.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { type SignedIdentity, signIn } from '#lib/service/use-cases/sign-in.ts';
import { type AccountPlace, placeOf } from '#lib/service/use-cases/place-of.ts';

export interface OpenedSession extends AccountPlace {
  readonly token: string;
  readonly expiresAt: Date;
  readonly account: Account;
}

/**
 * Signs a person in to the dashboard. @param address of the caller, without its last part
 * @throws Refusal when the account is suspended, or the `id_token` has opened a session before
 */
export const openSession = (deps: Deps, identity: SignedIdentity, address?: string): Promise<OpenedSession> =>
  retryOnConflict(deps, () => openSessionOnce(deps, identity, address));

/** @throws ConditionFailed when the account is closed at this moment: the identity then makes another one */
async function openSessionOnce(deps: Deps, identity: SignedIdentity, address?: string): Promise<OpenedSession> {
  const account = await signIn(deps, identity);
  const token = deps.random.loginToken();
  const expiresAt = tokenExpiry(deps.now);
  const device = { kind: 'dashboard', address } as const;
  await deps.table
    .transact([
      usedIdTokenWrite('dashboard', identity.idToken),
      ...newTokenWrites(account.id, token, { now: deps.now, expiresAt, device }),
    ])
    .catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.existing.has('idToken')) throw idTokenInvalid();
      throw error.existing.get('account')?.suspendedAt === undefined ? error : accountSuspended();
    });
  deps.table.forget();
  await matchPartners(deps, account);
  return { token, expiresAt, account, ...(await placeOf(deps, account)) };
}

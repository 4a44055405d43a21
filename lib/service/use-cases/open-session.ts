import type { Account } from '#lib/domain/account.ts';
import { accountSuspended, idTokenInvalid } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { newTokenWrites } from '#lib/service/store/accounts.ts';
import { usedIdTokenWrite } from '#lib/service/store/id-tokens.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';
import { matchPartners } from '#lib/service/use-cases/match-partners.ts';
import { tokenExpiry } from '#lib/service/use-cases/poll-login.ts';
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
export async function openSession(deps: Deps, identity: SignedIdentity, address?: string): Promise<OpenedSession> {
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
      throw error.existing.has('idToken') ? idTokenInvalid() : accountSuspended();
    });
  deps.table.forget();
  await matchPartners(deps, account);
  return { token, expiresAt, account, ...(await placeOf(deps, account)) };
}

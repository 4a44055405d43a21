import type { Account, Identity } from '#lib/domain/account.ts';
import { accountSuspended } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/deps.ts';
import { newTokenWrites } from '#lib/store/accounts.ts';
import { ConditionFailed } from '#lib/store/writes.ts';
import { tokenExpiry } from '#lib/use-cases/poll-login.ts';
import { signIn } from '#lib/use-cases/sign-in.ts';
import { type AccountPlace, placeOf } from '#lib/use-cases/place-of.ts';

export interface OpenedSession extends AccountPlace {
  readonly token: string;
  readonly expiresAt: Date;
  readonly account: Account;
}

/** Signs a person in to the dashboard. @throws Refusal when the account is suspended */
export async function openSession(deps: Deps, identity: Identity): Promise<OpenedSession> {
  const account = await signIn(deps, identity);
  const token = deps.random.loginToken();
  const expiresAt = tokenExpiry(deps.now);
  await deps.table.transact(newTokenWrites(account.id, token, expiresAt)).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? accountSuspended() : error;
  });
  deps.table.forget();
  return { token, expiresAt, account, ...(await placeOf(deps, account)) };
}

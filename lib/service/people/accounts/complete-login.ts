import { idTokenInvalid, loginNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { usedIdTokenWrite } from '#lib/service/people/accounts/id-tokens-items.ts';
import { completedLoginWrite } from '#lib/service/people/accounts/login-sessions-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { loginRequest } from '#lib/service/people/accounts/login-request.ts';
import { type SignedIdentity, signIn } from '#lib/service/people/accounts/sign-in.ts';

/**
 * Signs a person in to the terminal that started a login.
 * @param identify verifies the `id_token`; not called if the login is unknown, used or too old
 * @throws Refusal if the session is unknown, used or older than 5 minutes, the token is invalid or used, or the account
 * is suspended
 */
export async function completeLogin(deps: Deps, state: string, identify: () => Promise<SignedIdentity>): Promise<void> {
  await loginRequest(deps, state);
  const identity = await identify();
  const account = await signIn(deps, identity);
  await deps.table
    .transact([completedLoginWrite(state, account.id, identity.signedInAt), usedIdTokenWrite('cli', identity.idToken)])
    .catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
      throw error.existing.has('session') ? loginNotFound() : idTokenInvalid();
    });
}

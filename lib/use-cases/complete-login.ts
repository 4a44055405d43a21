import type { Identity } from '#lib/domain/account.ts';
import { loginStateAt } from '#lib/domain/login-session.ts';
import { loginExpired, loginNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/deps.ts';
import { completeLoginSession, findLoginSession } from '#lib/store/login-sessions.ts';
import { ConditionFailed } from '#lib/store/writes.ts';
import { signIn } from '#lib/use-cases/sign-in.ts';

/**
 * Signs a person in to the terminal that started a login (specification 3, contract 10.1).
 * @param identify verifies the `id_token`; called only for a login that can still be completed
 * @throws Refusal: session unknown or used, older than 5 minutes, token not valid, account suspended
 */
export async function completeLogin(deps: Deps, state: string, identify: () => Promise<Identity>): Promise<void> {
  const session = await findLoginSession(deps.table, state);
  if (session?.status !== 'pending') throw loginNotFound();
  if (loginStateAt(session, deps.now) === 'expired') throw loginExpired();
  const account = await signIn(deps, await identify());
  await completeLoginSession(deps.table, state, account.id).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? loginNotFound() : error;
  });
}

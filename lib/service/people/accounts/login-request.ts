import { loginStateAt, type LoginSession } from '#lib/service/people/accounts/login-session.ts';
import { loginExpired, loginNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findLoginSession } from '#lib/service/people/accounts/login-sessions-items.ts';

/**
 * A CLI login that is waiting for the person to sign in.
 * @throws Refusal if the session is unknown, used or older than 5 minutes
 */
export async function loginRequest({ table, now }: Pick<Deps, 'table' | 'now'>, state: string): Promise<LoginSession> {
  const session = await findLoginSession(table, state);
  if (session?.status !== 'pending') throw loginNotFound();
  if (loginStateAt(session, now) === 'expired') throw loginExpired();
  return session;
}

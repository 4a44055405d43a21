import { linkExpiry } from '#lib/domain/login-session.ts';
import type { Deps } from '#lib/service/deps.ts';
import { startLoginSession } from '#lib/service/store/login-sessions.ts';

/** Starts a CLI login. The holder of the state may get the token once. */
export async function startLogin({ table, now, random }: Deps): Promise<{ state: string; expiresAt: Date }> {
  const state = random.loginState();
  await startLoginSession(table, state, now);
  return { state, expiresAt: linkExpiry(now) };
}

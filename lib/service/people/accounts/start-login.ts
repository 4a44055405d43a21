import { linkExpiry } from '#lib/service/people/accounts/login-session.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { startLoginSession } from '#lib/service/people/accounts/login-sessions-items.ts';

/**
 * Starts a CLI login. The client with the returned state may get the token once.
 * @param network address of the terminal without its last part
 */
export async function startLogin(
  { table, now, random }: Deps,
  network: string | undefined,
): Promise<{ state: string; expiresAt: Date }> {
  const state = random.loginState();
  await startLoginSession(table, state, { startedAt: now, network });
  return { state, expiresAt: linkExpiry(now) };
}

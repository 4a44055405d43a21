import { LOGIN_TOKEN_DAYS, loginStateAt } from '#lib/domain/login-session.ts';
import { DAY_MS } from '#lib/domain/attribution-window.ts';
import { loginConsumed, loginUnknown } from '#lib/domain/refusals.ts';
import type { Account } from '#lib/domain/account.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findAccount, newTokenWrites } from '#lib/service/store/accounts.ts';
import { consumedLoginWrite, findLoginSession } from '#lib/service/store/login-sessions.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

export type PolledLogin =
  | { readonly status: 'pending' | 'expired' }
  | { readonly status: 'complete'; readonly token: string; readonly account: Account };

/**
 * Returns the token of a login once. The token is created now; of two racing polls exactly one gets it.
 * @param address of the terminal, without its last part
 * @throws Refusal: session unknown, or its token already handed out
 */
export const pollLogin = (deps: Deps, state: string, address?: string): Promise<PolledLogin> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const session = await findLoginSession(table, state);
    if (!session) throw loginUnknown();
    const status = loginStateAt(session, now);
    if (status === 'consumed') throw loginConsumed();
    if (status !== 'complete') return { status };
    const account = session.accountId === undefined ? undefined : await findAccount(table, session.accountId);
    // Suspended or closed between sign-in and this poll: there is no token.
    if (!account || account.suspendedAt || account.closingAt) return { status: 'expired' };
    const token = deps.random.loginToken();
    const made = { now, expiresAt: tokenExpiry(now), device: { kind: 'cli', address } } as const;
    await table.transact([consumedLoginWrite(state), ...newTokenWrites(account.id, token, made)]);
    return { status, token, account };
  });

/** Items expire at whole seconds: otherwise the token would be valid for a moment after its stated end. */
export const tokenExpiry = (now: Date): Date =>
  new Date(Math.ceil(now.getTime() / 1_000) * 1_000 + LOGIN_TOKEN_DAYS * DAY_MS);

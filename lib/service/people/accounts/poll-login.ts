import type { Account } from '#lib/service/ground/addresses/account.ts';
import { sha256, tokenIdOf } from '#lib/service/ground/addresses/credential.ts';
import { loginStateAt } from '#lib/service/people/accounts/login-session.ts';
import type { Device } from '#lib/service/ground/addresses/login-token.ts';
import { loginConsumed, loginUnknown } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';
import { consumedLoginWrite, findLoginSession } from '#lib/service/people/accounts/login-sessions-items.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { newToken } from '#lib/service/people/accounts/new-token.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

export type PolledLogin =
  | { readonly status: 'pending' | 'expired' }
  | { readonly status: 'complete'; readonly token: string; readonly account: Account };

/**
 * Creates and returns the token of a completed login, once, and notifies the person by mail. Of two concurrent polls
 * exactly one gets the token.
 * @param terminal the device that polls
 * @throws Refusal if the session is unknown or its token was already returned
 */
export const pollLogin = (deps: Deps, state: string, terminal: Omit<Device, 'kind'> = {}): Promise<PolledLogin> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const session = await findLoginSession(table, state);
    if (!session) throw loginUnknown();
    const status = loginStateAt(session, now);
    if (status === 'consumed') throw loginConsumed();
    if (status !== 'complete') return { status };
    const { accountId, startedAt, signedInAt = startedAt } = session;
    const account = accountId === undefined ? undefined : await findAccount(table, accountId);
    // The account was suspended or closed between sign-in and this poll, so no token is created.
    if (!account || account.suspendedAt || account.closingAt) return { status: 'expired' };
    const { token, writes } = await newToken(deps, account, { device: { kind: 'cli', ...terminal }, signedInAt });
    const { id, email, name, workspaceId } = account;
    await table.transact([
      consumedLoginWrite(state),
      ...writes,
      ...mailWrites({
        kind: 'terminal_signed_in',
        fact: tokenIdOf(sha256(token)),
        to: { email, name, accountId: id },
        data: {
          at: now.toISOString(),
          address: terminal.address,
          place: terminal.place,
          ...(workspaceId !== undefined && { isMember: true }),
        },
        now,
      }),
    ]);
    return { status, token, account };
  });

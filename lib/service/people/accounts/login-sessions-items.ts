import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { forgottenAtSeconds, type LoginSession } from '#lib/service/people/accounts/login-session.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// Starts a login. Only the client with the state gets the token. The state is stored only as its SHA-256 hash.

export const startLoginSession = (
  table: Table,
  state: string,
  { startedAt, network }: { readonly startedAt: Date; readonly network?: string },
): Promise<void> =>
  table.put(
    keys.login(sha256(state)),
    { status: 'pending', startedAt: startedAt.toISOString(), network, expires_at: forgottenAtSeconds(startedAt) },
    { isNew: true },
  );

export const findLoginSession = (table: Table, state: string): Promise<LoginSession | undefined> =>
  table.get<LoginSession>(keys.login(sha256(state)));

/** Closes the race between two redirects to the callback: one of them completes the login, the other finds it used. */
export const completedLoginWrite = (state: string, accountId: number, signedInAt: string): Write => ({
  name: 'session',
  key: keys.login(sha256(state)),
  change: { set: { status: 'complete', accountId, signedInAt } },
  condition: { equals: { status: 'pending' } },
});

/** Closes the race between two polls: one of them returns the token, and the other finds it already fetched. */
export const consumedLoginWrite = (state: string): Write => ({
  name: 'session',
  key: keys.login(sha256(state)),
  change: { set: { status: 'consumed' } },
  condition: { equals: { status: 'complete' } },
});

import type { Invocation } from '#lib/apps/cli/commands/command.ts';
import { type Credentials, notLoggedIn, readCredentials, writeCredentials } from '#lib/apps/cli/login/credentials.ts';
import { askAsAccount } from '#lib/apps/cli/machine/service.ts';
import type { Me } from '#lib/wire/people/people.ts';

export interface Account {
  readonly credentials: Credentials;
  /** Names of workspaces to which the person is invited. */
  readonly invitedBy: readonly string[];
}

/**
 * Reads the account that is logged in. If the person has joined or created a workspace since the login, for example in
 * the dashboard, the workspace is stored with the login.
 * @throws Failure if there is no login, or the service does not answer
 */
export async function currentAccount(invocation: Invocation): Promise<Account> {
  const { home, now } = invocation.world;
  const known = await readCredentials(home, now());
  if (!known) throw notLoggedIn();
  const me = (await askAsAccount(invocation, { method: 'GET', path: '/api/dashboard/v1/me' }, { once: true })) as Me;
  const credentials = { ...known, email: me.account.email, advertiser_id: me.workspace?.id ?? null };
  if (credentials.email !== known.email || credentials.advertiser_id !== known.advertiser_id) {
    await writeCredentials(home, credentials);
  }
  return { credentials, invitedBy: (me.invitations ?? []).map(({ name }) => name) };
}

/** Creates the person's first workspace. */
export async function createWorkspace(invocation: Invocation, name: string): Promise<void> {
  await askAsAccount(
    invocation,
    { method: 'POST', path: '/api/dashboard/v1/workspace', body: { name } },
    { once: true },
  );
  await currentAccount(invocation);
}

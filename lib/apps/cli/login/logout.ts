import type { Command } from '#lib/apps/cli/commands/command.ts';
import { readCredentials, removeCredentials } from '#lib/apps/cli/login/credentials.ts';
import { failureOf } from '#lib/apps/cli/commands/failure.ts';
import { askAsAccount } from '#lib/apps/cli/machine/service.ts';

/** Deletes the login on this machine, and revokes its token if the service can be reached. */
export const logout: Command = {
  usage: '',
  summary: 'revoke the login and forget it',
  interrupted: 'Interrupted. Run `affitor logout` again.',
  async run(invocation) {
    const { home, now } = invocation.world;
    const credentials = await readCredentials(home, now());
    try {
      if (credentials) await askAsAccount(invocation, { method: 'DELETE', path: '/api/dashboard/v1/session' });
    } catch (error) {
      const { status, message } = failureOf(error);
      // With status 401, the token was already invalid, so nothing is wrong.
      if (status !== 401) {
        const until = credentials?.expires_at.slice(0, 10);
        invocation.notice(`The service could not revoke the login: ${message}. Unused, it ends by itself on ${until}.`);
      }
    } finally {
      await removeCredentials(home);
    }
    return { json: { logged_in: false }, text: () => (credentials ? 'Logged out.' : 'You were not logged in.') };
  },
};

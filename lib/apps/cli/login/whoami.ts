import { currentAccount } from '#lib/apps/cli/login/account.ts';
import type { Command } from '#lib/apps/cli/commands/command.ts';
import { type Credentials, notLoggedIn, readCredentials } from '#lib/apps/cli/login/credentials.ts';
import { failureOf } from '#lib/apps/cli/commands/failure.ts';

/**
 * Shows the account as the service returns it. If the service cannot be reached, shows what the login file contains.
 */
export const whoami: Command = {
  usage: '',
  summary: 'show who is logged in, and where',
  interrupted: 'Interrupted.',
  async run(invocation) {
    const { world, notice } = invocation;
    const known = await readCredentials(world.home, world.now());
    if (!known) throw notLoggedIn();
    try {
      return outcome((await currentAccount(invocation)).credentials);
    } catch (error) {
      const { code, message } = failureOf(error);
      if (code !== 'network_error') throw error;
      notice(`${message}. This is what was known at the last login.`);
      return outcome(known);
    }
  },
};

function outcome({ email, advertiser_id, api_url, expires_at }: Credentials) {
  const workspace = advertiser_id === null ? 'no workspace yet' : `workspace ${advertiser_id}`;
  return {
    json: { email, advertiser_id, api_url, expires_at },
    text: () => `${email} (${workspace}) at ${api_url}, until ${expires_at.slice(0, 10)}`,
  };
}

import type { Command } from '#lib/cli/command.ts';
import { notLoggedIn, readCredentials } from '#lib/cli/credentials.ts';

/** Says what the login file says; nobody is asked. */
export const whoami: Command = {
  usage: '',
  summary: 'show who is logged in, and where',
  interrupted: 'Interrupted.',
  async run({ world }) {
    const credentials = await readCredentials(world.home, world.now());
    if (!credentials) throw notLoggedIn();
    const { email, advertiser_id, api_url, expires_at } = credentials;
    const workspace = advertiser_id === null ? 'no workspace yet' : `workspace ${advertiser_id}`;
    return {
      json: { email, advertiser_id, api_url, expires_at },
      text: () => `${email} (${workspace}) at ${api_url}, until ${expires_at.slice(0, 10)}`,
    };
  },
};

import { baseUrlOf } from '#lib/apps/client/calls/base-url.ts';
import type { Invocation } from '#lib/apps/cli/commands/command.ts';
import { readCredentials } from '#lib/apps/cli/login/credentials.ts';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import { readProjectConfig } from '#lib/apps/cli/project/project-config.ts';

export interface ApiUrl {
  readonly url: string;
  /** Where the address was found, as messages say it. */
  readonly source: '--api-url' | 'SERVICE_API_URL' | '.service/config.json' | 'your login' | 'the default';
}

const LOCAL_RUN = 'http://127.0.0.1:8787';

/** Finds the service's address: the first one that is set. @throws Failure if that address cannot be used */
export async function resolveApiUrl({ flags, world }: Pick<Invocation, 'flags' | 'world'>): Promise<ApiUrl> {
  const { url, source } = await named();
  const address = baseUrlOf(url);
  if (address === undefined) {
    throw new Failure(`${source} must be an http or https address without user, query and fragment`);
  }
  return { url: address, source };

  async function named(): Promise<ApiUrl> {
    const { environment, folder, home, now } = world;
    if (flags['api-url'] !== undefined) return { url: flags['api-url'], source: '--api-url' };
    if (environment.SERVICE_API_URL) return { url: environment.SERVICE_API_URL, source: 'SERVICE_API_URL' };
    const config = await readProjectConfig(folder);
    if (config?.api_url) return { url: config.api_url, source: '.service/config.json' };
    const credentials = await readCredentials(home, now());
    if (credentials?.api_url) return { url: credentials.api_url, source: 'your login' };
    return { url: LOCAL_RUN, source: 'the default' };
  }
}

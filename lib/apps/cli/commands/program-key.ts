import { join } from 'node:path';
import type { Invocation } from '#lib/apps/cli/commands/command.ts';
import { variablesIn } from '#lib/apps/cli/project/env-file.ts';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import { readProjectConfig } from '#lib/apps/cli/project/project-config.ts';
import { readIfThere } from '#lib/apps/cli/project/write-file-atomic.ts';

export interface ProgramKey {
  readonly key: string;
  /** Where the key was found, as messages say it. */
  readonly source: '--api-key' | 'SERVICE_API_KEY' | '.service/.env';
}

/** Finds the program key: the first one that is not blank. @throws Failure that explains where to set a key */
export async function resolveProgramKey({ flags, world }: Pick<Invocation, 'flags' | 'world'>): Promise<ProgramKey> {
  const envFile = await readIfThere(join(world.folder, '.service', '.env'));
  const found = [
    { key: flags['api-key'], source: '--api-key' },
    { key: world.environment.SERVICE_API_KEY, source: 'SERVICE_API_KEY' },
    { key: variablesIn(envFile ?? '').get('SERVICE_API_KEY'), source: '.service/.env' },
  ] as const;
  for (const { key = '', source } of found) {
    const trimmed = key.trim();
    // An invalid key is refused here, because the error of `fetch` would contain it.
    if (/^[\x21-\x7e]+$/.test(trimmed)) return { key: trimmed, source };
    if (trimmed !== '') throw new Failure(`${source} holds no program key: it has spaces or special characters in it`);
  }
  throw envFile === undefined ? noKey() : blankKey(await readProjectConfig(world.folder));
}

const noKey = () =>
  new Failure('No program key. Pass --api-key, set SERVICE_API_KEY, or run `affitor init` to create a program.', {
    code: 'no_config',
  });

function blankKey(config: Awaited<ReturnType<typeof readProjectConfig>>): Failure {
  const page =
    config?.api_url && config.program_id ? ` (${config.api_url}/programs/${config.program_id}/settings#api-key)` : '';
  return new Failure(
    'SERVICE_API_KEY in .service/.env is blank. ' +
      `A workspace owner generates the key in the dashboard, Settings → API Key${page}. Put it into .service/.env.`,
    { code: 'no_config' },
  );
}

import { join } from 'node:path';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import { readIfThere } from '#lib/apps/cli/project/write-file-atomic.ts';

/** The content of `.service/config.json`: the program to which a project belongs. It contains no secret. */
export interface ProjectConfig {
  readonly version: 1;
  readonly program_id: number;
  readonly domain: string;
  readonly commission: {
    readonly type: string;
    readonly rate: number;
    /** For how many months renewals earn commission; null for as long as the customer pays. */
    readonly duration_months: number | null;
  };
  readonly cookie: { readonly name: 'service_click_id'; readonly duration_days: number };
  readonly ref_param: 'aff';
  readonly api_url: string;
  readonly created_at: string;
}

/** Reads the project's configuration. @throws Failure if the file is invalid */
export async function readProjectConfig(folder: string): Promise<Partial<ProjectConfig> | undefined> {
  const text = await readIfThere(join(folder, '.service', 'config.json'));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Partial<ProjectConfig>;
  } catch (cause) {
    throw new Failure(
      '.service/config.json is no JSON. Mend it, or remove the folder .service and run `affitor init`.',
      {
        code: 'no_config',
        cause,
      },
    );
  }
}

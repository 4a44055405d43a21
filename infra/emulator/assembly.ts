import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type CommandOptions, runCommand } from '#infra/emulator/child-process.ts';
import type { Template } from '#infra/emulator/template.ts';
import { templateChanges } from '#infra/emulator/template-changes.ts';

export interface AssemblyOptions {
  readonly folder: string;
  /** Deployment settings, as given with `-c`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Folder with the emulator's commands, which are Python programs. */
  readonly binFolder: string;
  readonly port: number;
  readonly signal?: AbortSignal | undefined;
}

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Path of the AWS command line in the function that publishes files. On AWS a Lambda layer provides it. */
const LAYER_COMMAND = '/opt/awscli/aws';

/**
 * Synthesizes the stack of the stage `dev`, without the settings file that an operator may have, and adapts its
 * templates to the emulator.
 */
export async function emulatorAssembly(options: AssemblyOptions): Promise<void> {
  const { folder, settings, binFolder, signal } = options;
  // The emulator starts without a deployment, so the settings are not compared with deployed ones.
  const context = Object.entries({ ...settings, deployed: 'none' }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  // This new folder contains no settings files, so that an operator's own files are not used.
  const environment = { STAGES_FOLDER: folder };
  await runCdk(['synth', '--quiet', '--output', folder, ...context], { cwd: project, environment, signal });
  const names = await readdir(folder, { recursive: true });
  await Promise.all([
    ...names
      .filter((name) => name.endsWith('.template.json'))
      .map((name) => rewrite(join(folder, name), (text) => changedTemplate(text, options))),
    ...names
      .filter((name) => /^asset[.]\w+\/index[.]py$/.test(name))
      .map((name) => rewrite(join(folder, name), (text) => text.replaceAll(LAYER_COMMAND, join(binFolder, 'aws')))),
  ]);
}

/**
 * Runs the CDK's command line with the Node that runs this process. In the project's folder, the command first builds
 * the functions.
 */
export const runCdk = (words: readonly string[], { environment, ...options }: CommandOptions): Promise<string> =>
  runCommand(execPath, [join(project, 'node_modules/aws-cdk/bin/cdk'), ...words], {
    ...options,
    environment: { PATH: `${dirname(execPath)}:${process.env.PATH}`, ...environment },
  });

function changedTemplate(text: string, emulator: { readonly port: number }): string {
  const changed = templateChanges.reduce<Template>(
    (template, { apply }) => apply(template, emulator),
    JSON.parse(text) as Template,
  );
  return JSON.stringify(changed, null, 1);
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')));
}

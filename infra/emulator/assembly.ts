import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type CommandOptions, runCommand } from '#infra/emulator/child-process.ts';
import type { Template } from '#infra/emulator/template.ts';
import { templateChanges } from '#infra/emulator/template-changes.ts';

export interface AssemblyOptions {
  /** Where it is written. */
  readonly folder: string;
  /** Settings of the deployment, as after `-c`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Commands of the emulator's Python environment. */
  readonly binFolder: string;
  readonly port: number;
  readonly signal?: AbortSignal | undefined;
}

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Where the function that publishes files looks for the command line of AWS, which a layer brings on AWS. */
const LAYER_COMMAND = '/opt/awscli/aws';

/** Synthesizes the stack of the stage dev, and changes the copy as the emulator needs it. */
export async function emulatorAssembly(options: AssemblyOptions): Promise<void> {
  const { folder, settings, binFolder, signal } = options;
  const context = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await runCdk(['synth', '--quiet', '--output', folder, ...context], { cwd: project, signal });
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

/** The CDK's command, on this Node. In the project's folder it builds the functions first. */
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

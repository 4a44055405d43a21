import { join } from 'node:path';
import { runCommand } from '#infra/emulator/child-process.ts';
import type { Deployment } from '#infra/emulator/deployment.ts';

/**
 * Returns a function that runs the AWS command line and parses its output.
 * @example `await aws('lambda', 'list-functions')`
 */
export const awsCommand =
  ({ binFolder, environment }: Pick<Deployment, 'binFolder' | 'environment'>, signal?: AbortSignal) =>
  // oxlint-disable-next-line typescript/no-explicit-any -- replies differ per command
  async (...words: readonly string[]): Promise<any> => {
    const said = await runCommand(join(binFolder, 'aws'), [...words, '--output', 'json'], { environment, signal });
    return said.trim() === '' ? undefined : JSON.parse(said);
  };

export type Aws = ReturnType<typeof awsCommand>;

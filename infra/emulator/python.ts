import { fileURLToPath } from 'node:url';
import { CommandFailed, runCommand } from '#infra/emulator/child-process.ts';

/** Exit code of a check that cannot run on this machine. The check then counts as skipped, not as passed. */
export const NOT_POSSIBLE_HERE = 75;

/** The error if Python, which the emulator needs, is not installed. */
export class NoPython extends Error {}

/**
 * Installs the AWS emulator MiniStack if it is missing.
 * @returns the folder with its commands
 * @throws NoPython if Python is not installed
 */
export async function installedEmulator(signal?: AbortSignal): Promise<string> {
  const installer = fileURLToPath(new URL('../../.ci/python', import.meta.url));
  try {
    return (await runCommand(installer, ['emulator'], { signal })).trim();
  } catch (error) {
    if (error instanceof CommandFailed && error.exitCode === NOT_POSSIBLE_HERE) {
      throw new NoPython('The emulator needs Python 3.11 with venv, and PyPI: nothing was deployed.', { cause: error });
    }
    throw error;
  }
}

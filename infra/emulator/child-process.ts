import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { env as ownEnvironment, kill } from 'node:process';
import { text } from 'node:stream/consumers';

export interface CommandOptions {
  readonly cwd?: string | undefined;
  /** Environment variables in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** If aborted, the program and all its child processes are ended. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a program may take to end after SIGTERM, before SIGKILL. */
const GRACE_MS = 5_000;

/** The error if a program fails. Its message contains the exit code and the last 40 lines of output. */
export class CommandFailed extends Error {
  readonly exitCode: number | null;

  constructor(command: string, exitCode: number | null, output: string) {
    super(`${command} ended with ${exitCode}:\n${output.trimEnd().split('\n').slice(-40).join('\n')}`);
    this.exitCode = exitCode;
  }
}

/**
 * Runs a program and waits until it has ended.
 * @returns its standard output
 * @throws CommandFailed if the program fails, or the signal's reason if the signal ended the program
 */
export async function runCommand(
  command: string,
  words: readonly string[],
  { cwd, environment, signal }: CommandOptions = {},
): Promise<string> {
  signal?.throwIfAborted();
  const program = spawn(command, words, {
    cwd,
    env: { ...ownEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The program gets its own process group, so that a signal to the group also reaches its child processes.
    detached: true,
  });
  const end = () => {
    signalGroup(program.pid, 'SIGTERM');
    setTimeout(() => signalGroup(program.pid, 'SIGKILL'), GRACE_MS).unref();
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    const ended = once(program, 'exit');
    const [output, errors, [exitCode]] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
    signal?.throwIfAborted();
    if (exitCode !== 0) throw new CommandFailed([command, ...words].join(' '), exitCode, output + errors);
    return output;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    kill(-pid, signal);
  } catch (error) {
    // ESRCH: the process group has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

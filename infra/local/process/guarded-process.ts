import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { kill } from 'node:process';
import type { Readable, Writable } from 'node:stream';

export interface GuardedProcess {
  /** The program's standard error. */
  readonly output: Readable;
  readonly stop: () => Promise<void>;
  /** Kills the program and all its child processes; for a program that does not stop. */
  readonly kill: () => void;
}

/**
 * The script of a shell that runs between this process and the program. It reads from a pipe whose other end only this
 * process has. If this process ends, even by `kill -9`, the pipe closes; the shell then ends the program and deletes
 * the program's temporary folder.
 */
const guardScript = `
  folder=$1; shift
  "$@" 3<&- &
  program=$!
  exec 2>/dev/null
  { read -r _ <&3; kill "$program"; } &
  wait "$program"
  [ -z "$folder" ] || rm -rf "$folder"
`;

/** Starts a program that ends when this process ends. The program does not keep this process running. */
export function startGuarded(command: readonly string[], temporaryFolder = ''): GuardedProcess {
  const guard = spawn('sh', ['-c', guardScript, 'guard', temporaryFolder, ...command], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // The program is in a separate session. So Ctrl-C reaches only this process, which first finishes its requests
    // and then ends the program.
    detached: true,
  });
  const output = guard.stdio[2]!.setEncoding('utf8');
  const lifeline = guard.stdio[3] as Writable;
  guard.unref();

  async function stop(): Promise<void> {
    const ended = guard.exitCode === null && guard.signalCode === null ? once(guard, 'exit') : undefined;
    guard.ref();
    lifeline.end();
    await ended;
  }
  const endAtOnce = () => {
    if (guard.exitCode === null && guard.signalCode === null) kill(-guard.pid!, 'SIGKILL');
  };
  return { output, stop, kill: endAtOnce };
}

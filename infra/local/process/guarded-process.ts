import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { kill } from 'node:process';
import type { Readable, Writable } from 'node:stream';

export interface GuardedProcess {
  /** The program's standard error. */
  readonly output: Readable;
  readonly stop: () => Promise<void>;
  /** Ends the program and all its child processes at once; for a program that does not stop. */
  readonly kill: () => void;
}

/**
 * A shell between this process and the program reads from a pipe that only this process holds open. When the pipe
 * closes, because this process ended or was killed with -9, the shell ends the program and deletes its temporary
 * folder.
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

/** Starts a program that cannot outlive this process and does not keep it alive. */
export function startGuarded(command: readonly string[], temporaryFolder = ''): GuardedProcess {
  const guard = spawn('sh', ['-c', guardScript, 'guard', temporaryFolder, ...command], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // The program has its own session, so that Ctrl-C reaches only this process, which finishes its requests before the
    // program ends.
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

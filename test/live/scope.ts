import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exit } from 'node:process';
import { Violation } from '#test/live/hold.ts';

/** What a script has opened, such as services and folders. All of it is closed however the script ends. */
export interface Scope {
  /** The script's temporary folder, which is deleted at the end. */
  readonly folder: string;
  /** Registers a function that is called when the script ends. The one registered last is called first. */
  readonly atEnd: (close: () => unknown) => void;
  /** Registers a function that is called if the script fails, and returns more information for the message. */
  readonly atFailure: (tell: () => string) => void;
}

/** A script that runs longer is ended. Most scripts end earlier, after a fixed number of requests. */
const LONGEST_MINUTES = 30;

/**
 * Runs a script and ends the process: with 0 or, after a failure, with 1 and a message.
 * @param tell formats the message
 */
export async function runInScope(
  name: string,
  run: (scope: Scope) => Promise<void>,
  tell: (what: string) => void,
  longestMinutes = LONGEST_MINUTES,
): Promise<never> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const closings: (() => unknown)[] = [];
  const witnesses: (() => string)[] = [];

  async function end(code: number): Promise<never> {
    for (const close of closings.splice(0).toReversed()) await close();
    await rm(folder, { recursive: true, force: true });
    exit(code);
  }
  async function fail(error: unknown): Promise<never> {
    tell(whatFailed(error));
    for (const witness of witnesses) console.error(witness());
    return end(1);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(130));
  const tooLong = new Violation(`not through after ${longestMinutes} minutes`);
  setTimeout(() => void fail(tooLong), longestMinutes * 60_000).unref();

  try {
    await run({
      folder,
      atEnd: (close) => void closings.push(close),
      atFailure: (witness) => void witnesses.push(witness),
    });
  } catch (error) {
    await fail(error);
  }
  return end(0);
}

const whatFailed = (error: unknown): string => {
  if (error instanceof Violation) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineBinary } from '#infra/local/database/engine-binary.ts';
import { freePort } from '#infra/local/process/free-port.ts';
import { type GuardedProcess, startGuarded } from '#infra/local/process/guarded-process.ts';
import { indexStreamRecords } from '#infra/local/stream/stream-index.ts';

export interface Engine {
  readonly endpoint: string;
  /** Ends the engine. If no `dbPath` was given, the data are deleted. */
  readonly stop: () => Promise<void>;
}

const MOST_ATTEMPTS = 5;

/**
 * Starts the embedded DynamoDB engine on a free port of this machine. It ends at the latest when this process ends.
 * @param options.dbPath file for the data. Default: a file in a temporary folder
 * @throws Error if there is no engine for this platform, or the engine does not start
 */
export async function startEngine(options: { dbPath?: string } = {}): Promise<Engine> {
  const binary = engineBinary();
  for (let attempt = 1; ; attempt++) {
    const temporaryFolder = options.dbPath ? undefined : await mkdtemp(join(tmpdir(), 'referral-tracking-'));
    const dbPath = options.dbPath ?? join(temporaryFolder!, 'engine.db');
    const port = await freePort();
    const engine = startGuarded([binary, '--port', String(port), '--db-path', dbPath], temporaryFolder);

    const problem = await startProblem(engine);
    if (!problem) {
      indexStreamRecords(dbPath);
      return { endpoint: `http://127.0.0.1:${port}`, stop: engine.stop };
    }
    if (!isPortTaken(problem) || attempt === MOST_ATTEMPTS) {
      throw new Error(`The embedded DynamoDB engine did not start: ${problem}`);
    }
  }
}

/**
 * Waits until the engine listens or has failed.
 * @returns the output of an engine that failed; undefined if it listens
 */
async function startProblem({ output }: GuardedProcess): Promise<string | undefined> {
  let said = '';
  for await (const text of output.iterator({ destroyOnReturn: false })) {
    said += text;
    if (said.includes('listening on')) {
      output.resume();
      return undefined;
    }
  }
  return said.trim() || 'it ended without a word';
}

/** Whether another process has taken the port after it was found free. */
const isPortTaken = (problem: string) => problem.includes('already in use') || problem.includes('Address in use');

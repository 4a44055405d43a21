import { existsSync } from 'node:fs';
import { startEngine } from '#lib/local/engine.ts';

/** In memory, where the system has such a folder: the tests are about the service, not about the disk. */
const MEMORY_FOLDER = '/dev/shm';

/** Vitest's global setup: one engine for the whole run, unless DYNAMODB_ENDPOINT names another one. */
export default async function startTestEngine(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DYNAMODB_ENDPOINT) return undefined;
  const { TMPDIR } = process.env;
  if (existsSync(MEMORY_FOLDER)) process.env.TMPDIR = MEMORY_FOLDER;
  const engine = await startEngine();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  return engine.stop;
}

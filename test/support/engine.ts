import { startEngine } from '#lib/local/engine.ts';

/** Vitest's global setup: one engine for the whole run, unless DYNAMODB_ENDPOINT names another one. */
export default async function startTestEngine(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DYNAMODB_ENDPOINT) return undefined;
  const engine = await startEngine();
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  return engine.stop;
}

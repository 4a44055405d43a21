import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { startEngine } from '#infra/local/database/engine.ts';
import { openAwsRules } from '#test/support/table/aws-rules.ts';
import { chanceOf } from '#infra/local/demo/chance.ts';

/**
 * A folder whose files are in memory, which Linux has. It is used because the speed of the disk does not matter here.
 */
const MEMORY_FOLDER = '/dev/shm';

/**
 * Vitest global setup if tables are not in memory: starts one engine for the whole run, unless DYNAMODB_ENDPOINT names
 * another. With AWS_RULES=1, a proxy in front of the engine throttles calls and reports conflicts as DynamoDB may; the
 * same SEED gives the same random choices. Tests themselves write through UNFAILING_ENDPOINT, which has no proxy.
 */
export default async function startTestEngine(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DYNAMODB_ENDPOINT) return undefined;
  const { TMPDIR, AWS_RULES } = process.env;
  if (existsSync(MEMORY_FOLDER)) process.env.TMPDIR = MEMORY_FOLDER;
  const engine = await startEngine();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  if (!AWS_RULES) return engine.stop;

  const seed = process.env.SEED || String(randomInt(1_000_000_000));
  const rules = await openAwsRules(engine.endpoint, chanceOf(seed));
  process.env.DYNAMODB_ENDPOINT = rules.endpoint;
  process.env.UNFAILING_ENDPOINT = engine.endpoint;
  return async () => {
    console.log(
      `AWS's rules, SEED=${seed}: ${[...rules.counts].map(([rule, count]) => `${count} ${rule}`).join('; ')}`,
    );
    await rules.close();
    await engine.stop();
  };
}

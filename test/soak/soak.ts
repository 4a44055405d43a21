import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { env, execPath, exit } from 'node:process';
import { chosenParts } from '#test/live/chosen-parts.ts';

/** Each part is a separate script next to this one. */
const all = ['sudden-death', 'faulty-engine', 'aws-rules', 'duplicates', 'key-changes', 'clock-edges', 'hostile-input'];
const { parts, options } = chosenParts('soak', all, '--short');

const SEED = env.SEED || String(randomInt(1_000_000_000));
let failed = 0;
for (const part of parts) {
  const script = join(import.meta.dirname, `${part}.ts`);
  const { status } = spawnSync(execPath, [script, ...options], { stdio: 'inherit', env: { ...env, SEED } });
  if (status !== 0) failed += 1;
}
const passed = parts.length - failed;
// In the test runner's format, for summaries.
console.log(`\n      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${passed} passed (${parts.length})`);
exit(failed > 0 ? 1 : 0);

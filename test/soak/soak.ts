import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { argv, env, execPath, exit } from 'node:process';

/** The parts, each a script of its own beside this one. */
const parts = ['sudden-death', 'faulty-engine', 'duplicates', 'key-changes', 'clock-edges', 'hostile-input'];

const words = argv.slice(2);
const options = words.filter((word) => word.startsWith('--'));
const named = words.filter((word) => !word.startsWith('--'));
const unknown = [...named.filter((name) => !parts.includes(name)), ...options.filter((option) => option !== '--short')];
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Usage: npm run soak -- [--short] [${parts.join('] [')}]`);
  exit(1);
}

const SEED = env.SEED || String(randomInt(1_000_000_000));
let failed = 0;
for (const part of named.length > 0 ? named : parts) {
  const script = join(import.meta.dirname, `${part}.ts`);
  const { status } = spawnSync(execPath, [script, ...options], { stdio: 'inherit', env: { ...env, SEED } });
  if (status !== 0) failed += 1;
}
const passed = (named.length || parts.length) - failed;
// As the test runner spells it, for whoever adds up.
console.log(`\n      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${passed} passed (${passed + failed})`);
exit(failed > 0 ? 1 : 0);

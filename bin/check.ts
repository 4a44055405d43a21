import { spawnSync } from 'node:child_process';
import { argv, exit, platform } from 'node:process';

/** Scripts of package.json, the quick ones first. */
const parts = {
  static: ['format:check', 'lint', 'types', 'layers', 'unused', 'synth'],
  tests: ['coverage'],
};

const [part] = argv.slice(2);
if (part !== undefined && !Object.hasOwn(parts, part)) {
  console.error(`There is no part ${part}. The parts are: ${Object.keys(parts).join(', ')}.`);
  exit(2);
}
const steps = part === undefined ? Object.values(parts).flat() : parts[part as keyof typeof parts];

for (const step of steps) {
  console.log(`\n▶ ${step}`);
  const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit', shell: platform === 'win32' });
  if (status !== 0) {
    console.error(`\n✖ The check stopped at ${step}. To repeat this step alone: npm run ${step}`);
    exit(status ?? 1);
  }
}

console.log('\n✔ Every check passed.');

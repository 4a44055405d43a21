import { spawnSync } from 'node:child_process';
import { exit, platform } from 'node:process';

/** Scripts of package.json, the quick ones first. */
const steps = ['format:check', 'lint', 'types', 'layers', 'unused', 'synth', 'coverage', 'test:deep'];

for (const step of steps) {
  console.log(`\n▶ ${step}`);
  const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit', shell: platform === 'win32' });
  if (status !== 0) {
    console.error(`\n✖ The check stopped at ${step}. To repeat this step alone: npm run ${step}`);
    exit(status ?? 1);
  }
}

console.log('\n✔ Every check passed.');

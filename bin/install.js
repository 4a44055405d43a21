// Installs the locked packages if they are missing or out of date. It runs before the project's own Node and packages
// exist, with any installed version of Node: plain JavaScript, and only Node's built-in modules.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import process from 'node:process';

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes its own copy of the lock file last. The copy therefore shows whether and when an installation was
// completed.
const isInstalled = changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json');

if (!isInstalled) {
  console.error('Installing the locked packages (npm ci), about half a minute …');
  const { status, error } = spawnSync('npm', ['ci', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`npm ci failed${error ? `: ${error.message}` : ''}. Mend what it names above, then start again.`);
    process.exit(status ?? 1);
  }
}

// The lock file contains the engine for one platform. For another platform, its package of the same version is
// installed without running its scripts. If the registry has no such package, the start command explains the
// alternatives.
const engines = JSON.parse(
  readFileSync(new URL('../infra/local/engine/package.json', import.meta.url), 'utf8'),
).optionalDependencies;
const [[locked, version]] = Object.entries(engines);
const own = `${locked.slice(0, locked.indexOf('/'))}/${process.platform}-${process.arch}`;
if (own !== locked && !existsSync(`.local/engine/node_modules/${own}`)) {
  const words = ['install', '--prefix', '.local/engine', '--no-save', '--no-package-lock', '--ignore-scripts'];
  spawnSync('npm', [...words, '--loglevel=silent', `${own}@${version}`], {
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
}

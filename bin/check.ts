import { spawn, spawnSync } from 'node:child_process';
import { argv, exit, platform } from 'node:process';

/**
 * Scripts of package.json. The static checks and the synthesis run two at a time, in the order that keeps two cores
 * busy.
 */
const parts = {
  static: ['format:check', 'lint', 'types', 'layers', 'unused'],
  synth: ['synth'],
  tests: ['coverage'],
};
const LANES = 2;

const [part] = argv.slice(2);
if (part !== undefined && !Object.hasOwn(parts, part)) {
  console.error(`There is no part ${part}. The parts are: ${Object.keys(parts).join(', ')}.`);
  exit(2);
}

const npm = (step: string) => ['npm', ['run', '--silent', step]] as const;
const shell = platform === 'win32';

function stopAt(step: string, status: number | null): never {
  console.error(`\n✖ The check stopped at ${step}. To repeat this step alone: npm run ${step}`);
  exit(status || 1);
}

/** Runs a script to its end, then prints all its output. */
async function run(step: string): Promise<void> {
  const child = spawn(...npm(step), { stdio: ['ignore', 'pipe', 'pipe'], shell });
  const said: Buffer[] = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (text: Buffer) => said.push(text));
  const status = await new Promise<number | null>((end) => child.once('close', end));
  console.log(`\n▶ ${step}\n${Buffer.concat(said).toString()}`);
  if (status !== 0) stopAt(step, status);
}

async function runAll(waiting: string[]): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await run(step);
}

const isWanted = (name: keyof typeof parts) => part === undefined || part === name;

const waiting = [...(isWanted('static') ? parts.static : []), ...(isWanted('synth') ? parts.synth : [])];
if (waiting.length > 0) {
  await Promise.all(Array.from({ length: LANES }, () => runAll(waiting)));
}
if (isWanted('tests')) {
  for (const step of parts.tests) {
    console.log(`\n▶ ${step}`);
    const { status } = spawnSync(...npm(step), { stdio: 'inherit', shell });
    if (status !== 0) stopAt(step, status);
  }
}

console.log('\n✔ Every check passed.');

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath, exit } from 'node:process';
import { chosenParts } from '#test/live/chosen-parts.ts';

/** Parts about programs with many partners, sales or commissions, in a separate folder. */
const large = ['keys', 'payouts', 'ranking', 'erasure', 'restore'];

/** Each is a separate script next to this one, or in that folder. */
const all = [
  'bundles',
  'start',
  'endpoints',
  'throughput',
  'steady',
  'growth',
  'counters',
  'day',
  'storage',
  'webhooks',
  'deliveries',
  ...large,
];
const { parts, options } = chosenParts('bench', all, '--full', '--against');

for (const part of parts) {
  const script = join(import.meta.dirname, large.includes(part) ? 'large' : '', `${part}.ts`);
  const { status } = spawnSync(execPath, [script, ...options], { stdio: 'inherit' });
  if (status !== 0) exit(1);
}
console.log('\nAll of it is in .local/bench.json too.');

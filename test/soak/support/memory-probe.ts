import { memoryUsage } from 'node:process';

// Loaded into a service (`--import`, with `--expose-gc`): on SIGUSR2 it says how much memory it cannot do without.

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external } = memoryUsage();
  console.log(`memory ${heapUsed + external} bytes`);
});

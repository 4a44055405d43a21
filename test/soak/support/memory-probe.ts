import { memoryUsage } from 'node:process';

// Loaded into a service (`--import`, with `--expose-gc`): on SIGUSR2 it prints the memory in use after a collection.

/** Number of collections: weakly held objects need more than one. */
const COLLECTIONS = 6;

process.on('SIGUSR2', () => {
  for (let time = 0; time < COLLECTIONS; time++) globalThis.gc?.();
  const { heapUsed, external } = memoryUsage();
  console.log(`memory ${heapUsed + external} bytes`);
});

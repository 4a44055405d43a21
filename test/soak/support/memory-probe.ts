import { memoryUsage } from 'node:process';

// Loaded into a service (`--import`, with `--expose-gc`): on SIGUSR2 it says how much memory it cannot do without.

/** What is held weakly takes more than one to go. */
const COLLECTIONS = 6;

process.on('SIGUSR2', () => {
  for (let time = 0; time < COLLECTIONS; time++) globalThis.gc?.();
  const { heapUsed, external } = memoryUsage();
  console.log(`memory ${heapUsed + external} bytes`);
});

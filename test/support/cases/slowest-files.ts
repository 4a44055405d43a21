import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;
const SECOND_MS = 1_000;

/** Vitest reporter that lists the slowest files. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, SHOWN);
    console.log('\nThe slowest files, in seconds:');
    for (const { name, ms } of slowest) console.log(`${(ms / SECOND_MS).toFixed(1).padStart(7)}  ${name}`);
  }
}

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By name: what reads the configuration comes before what fills the table. */
class ByName extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1)));
  }
}

/** Against a deployment to an emulator of AWS: npm run test:deployed. */
export default defineConfig({
  test: {
    include: ['test/deployed/**/*.test.ts'],
    globalSetup: ['test/deployed/support/deployed.ts'],
    // One stack for all.
    fileParallelism: false,
    sequence: { sequencer: ByName },
    // Each function starts once, and a machine may be busy.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // What is deployed logs for itself; the tests read the table by the service's own store.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
  },
});

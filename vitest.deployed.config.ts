import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs files in order of their names: the tests that read the configuration come before those that fill the table. */
class ByName extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1)));
  }
}

/** Runs tests against a deployment to an emulator of AWS: npm run test:deployed. */
export default defineConfig({
  test: {
    include: ['test/deployed/**/*.test.ts'],
    globalSetup: ['test/deployed/support/deployed.ts'],
    // All test files use the same deployed stack, so they run one after the other.
    fileParallelism: false,
    sequence: { sequencer: ByName },
    // Each function has to start once during the tests, and the machine may be busy.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // Turns off the log of this process, in which the tests read the table with the service's own code. Deployed
    // functions write their own log.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
  },
});

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes('-looks');

/** Runs the longest files first, so that all workers end at about the same time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is not the method of an array
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Runs tests in a real browser against a real local run of the service, in separate processes. */
export default defineConfig({
  test: {
    // Vitest leaves one core idle by default, which is half of a machine with two cores.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    include: ['test/browser/**/*.test.ts'],
    setupFiles: ['test/support/cases/english-browser.ts'],
    // All test files of a worker share one browser, and one process that runs the service.
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A test may wait for counters, which follow the events within seconds.
    expect: { poll: { timeout: 60_000 } },
  },
});

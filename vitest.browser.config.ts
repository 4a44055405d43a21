import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes('-looks');

/** The longest files first: the workers end at about the same time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Tests in a real browser against a real local run, in separate processes. */
export default defineConfig({
  test: {
    // Vitest leaves a core idle by default; of two that is half the machine.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    include: ['test/browser/**/*.test.ts'],
    setupFiles: ['test/support/cases/english-browser.ts'],
    // The files of a worker share a browser, and a process that runs the service.
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Counters follow the events within seconds.
    expect: { poll: { timeout: 60_000 } },
  },
});

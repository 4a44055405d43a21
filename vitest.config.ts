import { configDefaults, defineConfig } from 'vitest/config';
import { ruleFiles } from './rooms.ts';

/** Test files that need no database engine. */
const UNIT = ['apps', 'bench/support', 'rules', 'service/conversions/stripe'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
/** Slow tests: they start processes, use the CDK, or run every case of a long list. */
const DEEP = ['test/**/*.deep.test.ts'];
/**
 * Full coverage. Branches may miss one percent: TypeScript demands default values for array elements that always exist,
 * and such a default counts as a branch that cannot run.
 */
const whole = { statements: 100, functions: 100, lines: 100, branches: 99 };
/** The code that reads requests and builds replies. */
const HTTP = 'lib/service/http/!(triggers)/**/*.ts';
/**
 * Whether the tests of the project `service` use a table in memory. These variables choose a real engine instead;
 * test/support/table/README.md lists them.
 */
const isInMemory = !process.env.DYNAMODB_ENDPOINT && !process.env.ENGINE && !process.env.AWS_RULES;
const setupFiles = [
  'test/support/cases/property-cases.ts',
  'test/support/cases/every-reply-is-documented.ts',
  ...(process.env.PRISM_URL ? ['test/wire/prism/setup.ts'] : []),
];
// These tests need a browser or a deployment: npm run test:browser, npm run test:deployed.
const exclude = [...configDefaults.exclude, 'test/browser/**', 'test/deployed/**'];

export default defineConfig({
  // The same JSX setting as in the bundler of the pages.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Vitest leaves one core idle by default, which is half of a machine with two cores.
    maxWorkers: '100%',
    reporters: ['default', './test/support/cases/slowest-files.ts'],
    // No test waits for time to pass. These limits only end a test that hangs, and are long enough for a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    tags: [{ name: 'deep', description: 'Every case of a long list, of which npm test runs some.' }],
    // The logger reads this variable when it is imported. Tests about the log set another value themselves.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: UNIT,
          exclude: [...exclude, ...DEEP],
          setupFiles: [
            'test/support/cases/english-browser.ts',
            'test/support/cases/own-installation.ts',
            'test/support/cases/property-cases.ts',
          ],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...UNIT, ...DEEP],
          globalSetup: isInMemory ? [] : ['test/support/table/engine.ts'],
          setupFiles: [
            ...(isInMemory ? ['test/support/memory-table/setup.ts'] : []),
            'test/support/cases/own-installation.ts',
            ...setupFiles,
          ],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          include: DEEP,
          exclude,
          globalSetup: ['test/support/table/engine.ts'],
          setupFiles: ['test/support/cases/own-installation.ts', ...setupFiles],
          isolate: false,
        },
      },
    ],
    coverage: {
      // The provider `v8` counts compiled code, and sometimes reports a branch as missed that has run.
      provider: 'istanbul',
      // Only files that must be covered completely are instrumented, because instrumenting more would make every test
      // slower.
      include: [...ruleFiles(), HTTP],
      reporter: [['text', { skipFull: true }], 'html'],
      thresholds: {
        // In these folders only the rules are instrumented, so this threshold applies to the rules.
        'lib/service/!(http)/**/*.ts': whole,
        [HTTP]: whole,
      },
    },
  },
});

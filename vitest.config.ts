import { configDefaults, defineConfig } from 'vitest/config';
import { ruleFiles } from './rooms.ts';

/** Where nothing needs the engine. */
const UNIT = ['apps', 'bench/support', 'rules', 'service/conversions/stripe'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
/** Their time is that of processes, of the CDK, or of every case of a long list. */
const DEEP = ['test/**/*.deep.test.ts'];
/** Defaults that the compiler asks for, of what an array or a match always has, count as branches, and cannot run. */
const whole = { statements: 100, functions: 100, lines: 100, branches: 99 };
/** How requests come in and replies go out. */
const HTTP = 'lib/service/http/!(triggers)/**/*.ts';
/** The table of `service` is in memory unless one of these asks for an engine; test/support/table/README.md lists them. */
const isInMemory = !process.env.DYNAMODB_ENDPOINT && !process.env.ENGINE && !process.env.AWS_RULES;
const setupFiles = [
  'test/support/cases/property-cases.ts',
  'test/support/cases/every-reply-is-documented.ts',
  ...(process.env.PRISM_URL ? ['test/wire/prism/setup.ts'] : []),
];
// They need a browser, or a deployment: npm run test:browser, npm run test:deployed.
const exclude = [...configDefaults.exclude, 'test/browser/**', 'test/deployed/**'];

export default defineConfig({
  // As the bundler of the pages does.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Vitest leaves a core idle by default; of two that is half the machine.
    maxWorkers: '100%',
    reporters: ['default', './test/support/cases/slowest-files.ts'],
    // No test waits for time to pass: the limits only end what hangs, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    tags: [{ name: 'deep', description: 'Every case of a long list, of which npm test runs some.' }],
    // The logger reads it when it is imported. Tests about the log set their own.
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
      // The one of V8 counts by its compiled code, and now and then misses a branch that has run.
      provider: 'istanbul',
      // What must be covered as a whole. Instrumenting the rest, too, makes every test slower.
      include: [...ruleFiles(), HTTP],
      reporter: [['text', { skipFull: true }], 'html'],
      thresholds: {
        // The rules, for nothing else of these folders is included.
        'lib/service/!(http)/**/*.ts': whole,
        [HTTP]: whole,
      },
    },
  },
});

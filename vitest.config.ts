import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need a browser: npm run test:browser.
    exclude: [...configDefaults.exclude, 'test/browser/**'],
    globalSetup: ['test/support/engine.ts'],
    setupFiles: [
      'test/support/own-installation.ts',
      'test/support/every-reply-is-documented.ts',
      ...(process.env.PRISM_URL ? ['test/wire/prism/setup.ts'] : []),
    ],
    // Vitest leaves a core idle by default; of two that is half the machine.
    maxWorkers: '100%',
    // No test waits for time to pass: the limits only end what hangs, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A container reads it when it is made. Tests about the log set their own.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    coverage: {
      provider: 'v8',
      include: ['functions/**', 'infra/**', 'lib/**'],
      // Runs in browsers, where npm run test:browser tests it.
      exclude: ['lib/apps/dashboard/**'],
      reporter: [['text', { skipFull: true }], 'html'],
      thresholds: {
        'lib/domain/**': { 100: true },
        'lib/service/triggers/http/**': { 100: true },
      },
    },
  },
});

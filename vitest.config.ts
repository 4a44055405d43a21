import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    // The logger reads it when it is imported. Tests about the log set their own.
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    coverage: {
      provider: 'v8',
      include: ['functions/**', 'infra/**', 'lib/**'],
      reporter: [['text', { skipFull: true }], 'html'],
      thresholds: {
        'lib/domain/**': { 100: true },
        'lib/http/**': { 100: true },
      },
    },
  },
});

import { defineConfig } from 'vitest/config';

/** Tests in a real browser against a real local run, in processes of their own. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

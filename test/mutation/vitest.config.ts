import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/rules/**/*.test.ts'], setupFiles: ['test/mutation/setup.ts'], isolate: false },
});

import { ruleFiles } from './rooms.ts';

export default {
  mutate: ruleFiles(),
  // Texts are not mutated: tests of the HTTP interface check them, and the compiler checks the names of states.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Code that runs at import is not mutated: each such mutant would need a run of all tests.
  ignoreStatic: true,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // Stryker copies only the files that tests of rules read. It must not find tsconfig.json, because it would rewrite
  // that file with TypeScript's JavaScript API, which TypeScript 7 does not have.
  ignorePatterns: ['**', '!package.json', '!lib/service/**', '!test/rules/**', '!test/support/**', '!test/mutation/**'],
  tempDirName: '.local/stryker',
  cleanTempDir: 'always',
  reporters: ['clear-text', 'progress-append-only', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'coverage/mutation.html' },
};

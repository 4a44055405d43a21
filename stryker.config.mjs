import { ruleFiles } from './rooms.ts';

export default {
  mutate: ruleFiles(),
  // Tests of the interface check the texts, and the compiler checks the names of states.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Code that runs once, at import, would need every test for each of its mutants.
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

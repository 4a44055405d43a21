import { ruleFiles } from './rooms.ts';

export default {
  mutate: ruleFiles(),
  // Texts are held by the tests of the interface, and names of states by the compiler.
  mutator: { excludedMutations: ['StringLiteral'] },
  // What runs once, at import, would need every test for each of its mutants.
  ignoreStatic: true,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // Only what the rules' tests read. Without tsconfig.json: Stryker would rewrite it with TypeScript's JavaScript API,
  // which TypeScript 7 does not have.
  ignorePatterns: ['**', '!package.json', '!lib/service/**', '!test/rules/**', '!test/support/**', '!test/mutation/**'],
  tempDirName: '.local/stryker',
  cleanTempDir: 'always',
  reporters: ['clear-text', 'progress-append-only', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'coverage/mutation.html' },
};

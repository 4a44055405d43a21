/**
 * Who may import whom; ARCHITECTURE.md draws the picture. A folder's rule names all it may reach among our own files,
 * so that a new folder is closed until somebody opens it.
 *
 * @param {string} folder
 * @param {string} comment why the line is drawn there
 * @param {string[]} mayReach paths of the project, as regular expressions
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
const onlyReaches = (folder, comment, mayReach) => ({
  name: `${folder.replaceAll('/', '-').replace('.ts', '')}-reaches-only-its-own`,
  comment,
  severity: 'error',
  from: { path: `^${folder}(/|$)` },
  to: { path: '^(bin|functions|infra|lib|test)/', pathNot: [folder, ...mayReach].map((path) => `^${path}(/|$)`) },
});

/** @param {string[]} names regular expressions */
const packagesBut = (...names) => ({
  path: 'node_modules/',
  pathNot: `node_modules/(${names.join('|')})/`,
  dependencyTypesNot: ['type-only'],
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    onlyReaches('lib/domain', 'The rules of the business depend on nothing but each other.', []),
    onlyReaches('lib/service/store', 'The store turns domain objects into items and back.', ['lib/domain']),
    onlyReaches('lib/service/use-cases', 'Use-cases have effects only through Deps and the store.', [
      'lib/domain',
      'lib/service/store',
      'lib/service/deps.ts',
    ]),
    onlyReaches('lib/service/triggers/http', 'The HTTP layer knows the gateway, not what an endpoint does.', [
      'lib/domain',
      'lib/service/store',
      'lib/service/deps.ts',
      'lib/service/identity.ts',
      'lib/service/config/config.ts',
      'lib/service/random.ts',
      'lib/service/processors/stripe',
      'lib/service/use-cases',
    ]),
    onlyReaches('lib/service/identity.ts', 'It asks the issuer for its keys, and nothing else of anybody.', [
      'lib/domain',
      'lib/service/deps.ts',
    ]),
    onlyReaches('lib/service/processors/stripe', 'It knows the card processor and turns what it says into our words.', [
      'lib/service/config/config.ts',
      'lib/service/deps.ts',
      'lib/domain',
      'lib/service/timeouts.ts',
    ]),
    onlyReaches('lib/service/vault.ts', 'It seals and opens, and does not know what for.', [
      'lib/service/config/config.ts',
      'lib/service/deps.ts',
      'lib/service/timeouts.ts',
    ]),
    onlyReaches('lib/service/exports.ts', 'It keeps files, and does not know of what.', [
      'lib/service/config/config.ts',
      'lib/service/deps.ts',
      'lib/domain',
    ]),
    {
      name: 'lib-http-calls-no-use-case',
      comment: 'It may name what a use-case takes and gives; which one runs, the function declares.',
      severity: 'error',
      from: { path: '^lib/service/triggers/http/' },
      to: { path: '^lib/service/use-cases/', dependencyTypesNot: ['type-only'] },
    },
    onlyReaches('lib/service/deps.ts', 'Deps gathers the effects and knows nothing of who uses them.', [
      'lib/service/config/config.ts',
      'lib/service/log.ts',
      'lib/service/random.ts',
      'lib/service/timeouts.ts',
      'lib/service/store',
      'lib/domain',
    ]),
    onlyReaches('lib/service/triggers/stream', "It knows Lambda's stream events, not what is done with them.", [
      'lib/service/deps.ts',
    ]),
    onlyReaches('functions', 'A function is a declaration over the layers below.', [
      'lib/service/triggers/custom-resource',
      'lib/service/triggers/http',
      'lib/service/triggers/stream',
      'lib/service/processors/stripe',
      'lib/service/use-cases',
      'lib/service/vault.ts',
      'lib/service/exports.ts',
      'lib/domain',
    ]),
    {
      ...onlyReaches('infra', 'The stack knows the routes, the table and the configuration, and no behaviour.', [
        'lib/service/config/table-definition.ts',
        'lib/service/config/edge-headers.ts',
        'lib/domain/export-files.ts',
        'lib/service/config/config.ts',
        // What stands around the dashboard's bundle: its paths and its static pages.
        'lib/apps/dashboard/(page-paths|app-page|error-page|icon)[.]ts',
      ]),
      from: { path: '^infra/', pathNot: '^lib/wire/openapi/' },
    },
    onlyReaches('lib/wire/openapi', 'The document says what is on the wire: words, texts and the spelling of errors.', [
      'infra/routes.ts',
      'lib/domain',
      'lib/service/triggers/http/envelope.ts',
      'lib/service/triggers/http/requests',
    ]),
    onlyReaches(
      'lib/service/triggers/custom-resource',
      'It knows the events of a deployment, not what is made for it.',
      ['lib/service/deps.ts', 'lib/service/operator-deps.ts'],
    ),
    onlyReaches('lib/operator', 'The operator runs use-cases on the table, without HTTP and without the local run.', [
      'lib/service/config/config.ts',
      'lib/service/deps.ts',
      'lib/service/random.ts',
      'lib/domain',
      'lib/service/store',
      'lib/service/use-cases',
    ]),
    onlyReaches('lib/apps/client', 'Brands run it: it knows only the wire.', []),
    onlyReaches('lib/apps/tracker', 'Browsers run it: it knows only the wire.', []),
    onlyReaches('lib/apps/dashboard', 'Browsers run it: it knows only the wire.', []),
    onlyReaches('lib/apps/cli', 'Brands run it: it knows only the wire, through the client.', ['lib/apps/client']),
    {
      name: 'functions-are-called-not-imported',
      comment: 'Only what deploys, serves or tests a function imports it.',
      severity: 'error',
      from: { path: '^(bin|lib)/', pathNot: '^infra/local/' },
      to: { path: '^functions/' },
    },
    {
      name: 'nothing-deployed-knows-the-local-run',
      severity: 'error',
      from: { pathNot: '^(infra/local|bin|test)/' },
      to: { path: '^infra/local/' },
    },
    {
      name: 'nothing-depends-on-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'node:crypto computes; everything else a domain module could import has effects.',
      severity: 'error',
      from: { path: '^lib/domain/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'aws-is-known-to-few',
      comment:
        'DynamoDB to the store, the key service to the vault, S3 to the exports, the secret store to the platform secrets.',
      severity: 'error',
      from: {
        path: '^(functions|lib)/',
        pathNot: '^lib/(store/|local/|deps[.]ts$|vault[.]ts$|exports[.]ts$|stripe/platform-secrets[.]ts$)',
      },
      to: { path: 'node_modules/@aws-sdk/' },
    },
    {
      name: 'middy-is-known-to-http',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^lib/service/triggers/http/' },
      to: { path: 'node_modules/@middy/' },
    },
    {
      name: 'what-is-deployed-uses-chosen-packages',
      comment: 'All packages are development packages, for everything is bundled. These may come into the bundles.',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^lib/(local|cli|client|tracker|dashboard)/' },
      to: packagesBut(
        '@aws-lambda-powertools/logger',
        '@aws-sdk/[^/]+',
        '@middy/core',
        'jose',
        'stripe',
        'tldts',
        'zod',
      ),
    },
    {
      name: 'the-command-line-uses-chosen-packages',
      severity: 'error',
      from: { path: '^lib/apps/cli/' },
      to: packagesBut('@clack/prompts', 'open'),
    },
    {
      name: 'the-dashboard-uses-chosen-packages',
      severity: 'error',
      from: { path: '^lib/apps/dashboard/' },
      to: packagesBut('preact', 'preact-iso', 'uplot'),
    },
    {
      name: 'what-brands-run-needs-no-package',
      comment: "Nor anything of Node's: it runs wherever there is `fetch`.",
      severity: 'error',
      from: { path: '^lib/(client|tracker)/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'core'] },
    },
    {
      name: 'stripe-is-known-to-its-folder',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^lib/service/processors/stripe/' },
      to: { path: 'node_modules/stripe/' },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphan',
      comment: 'A module that imports nothing and that nothing imports is forgotten.',
      severity: 'error',
      from: {
        orphan: true,
        // These are found by name: entry points of Node, esbuild and tools.
        pathNot: [
          '^bin/',
          '^functions/',
          '^lib/apps/client/recipes/',
          '^infra/(lambda-credentials|no-endpoint-cache|no-event-streams)[.]ts$',
          '^test/bench/',
          '[.]test[.]ts$',
        ],
      },
      to: {},
    },
    {
      name: 'everything-resolves',
      comment: 'Recipes import the package by its name, as brands do; it is there when it is built.',
      severity: 'error',
      from: { pathNot: '^lib/apps/client/recipes/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // dependency-cruiser cannot use TypeScript 7; swc parses the files instead and sees type-only imports too.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import', 'require', 'types'] },
  },
};

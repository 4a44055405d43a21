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
    onlyReaches('lib/store', 'The store turns domain objects into items and back.', ['lib/domain']),
    onlyReaches('lib/use-cases', 'Use-cases have effects only through Deps and the store.', [
      'lib/domain',
      'lib/store',
      'lib/deps.ts',
    ]),
    onlyReaches('lib/http', 'The HTTP layer knows the gateway, not what an endpoint does.', [
      'lib/domain',
      'lib/store',
      'lib/deps.ts',
      'lib/identity.ts',
      'lib/config.ts',
      'lib/random.ts',
      'lib/stripe',
      'lib/use-cases',
    ]),
    onlyReaches('lib/identity.ts', 'It asks the issuer for its keys, and nothing else of anybody.', [
      'lib/domain',
      'lib/deps.ts',
    ]),
    onlyReaches('lib/stripe', 'It knows the card processor and turns what it says into our words.', [
      'lib/config.ts',
      'lib/deps.ts',
      'lib/domain',
      'lib/timeouts.ts',
    ]),
    onlyReaches('lib/vault.ts', 'It seals and opens, and does not know what for.', [
      'lib/config.ts',
      'lib/deps.ts',
      'lib/timeouts.ts',
    ]),
    onlyReaches('lib/exports.ts', 'It keeps files, and does not know of what.', [
      'lib/config.ts',
      'lib/deps.ts',
      'lib/domain',
    ]),
    {
      name: 'lib-http-calls-no-use-case',
      comment: 'It may name what a use-case takes and gives; which one runs, the function declares.',
      severity: 'error',
      from: { path: '^lib/http/' },
      to: { path: '^lib/use-cases/', dependencyTypesNot: ['type-only'] },
    },
    onlyReaches('lib/deps.ts', 'Deps gathers the effects and knows nothing of who uses them.', [
      'lib/config.ts',
      'lib/log.ts',
      'lib/random.ts',
      'lib/timeouts.ts',
      'lib/store',
      'lib/domain',
    ]),
    onlyReaches('lib/stream', "It knows Lambda's stream events, not what is done with them.", ['lib/deps.ts']),
    onlyReaches('functions', 'A function is a declaration over the layers below.', [
      'lib/deploy',
      'lib/http',
      'lib/stream',
      'lib/stripe',
      'lib/use-cases',
      'lib/vault.ts',
      'lib/exports.ts',
      'lib/domain',
    ]),
    {
      ...onlyReaches('infra', 'The stack knows the routes, the table and the configuration, and no behaviour.', [
        'lib/store/table-definition.ts',
        'lib/http/edge-headers.ts',
        'lib/domain/export-files.ts',
        'lib/config.ts',
        // What stands around the dashboard's bundle: its paths and its static pages.
        'lib/dashboard/(page-paths|app-page|error-page|icon)[.]ts',
      ]),
      from: { path: '^infra/', pathNot: '^infra/openapi/' },
    },
    onlyReaches('infra/openapi', 'The document says what is on the wire: words, texts and the spelling of errors.', [
      'infra/routes.ts',
      'lib/domain',
      'lib/http/envelope.ts',
      'lib/http/requests',
    ]),
    onlyReaches('lib/deploy', 'It knows the events of a deployment, not what is made for it.', [
      'lib/deps.ts',
      'lib/operator/operator-deps.ts',
    ]),
    onlyReaches('lib/operator', 'The operator runs use-cases on the table, without HTTP and without the local run.', [
      'lib/config.ts',
      'lib/deps.ts',
      'lib/random.ts',
      'lib/domain',
      'lib/store',
      'lib/use-cases',
    ]),
    onlyReaches('lib/client', 'Brands run it: it knows only the wire.', []),
    onlyReaches('lib/tracker', 'Browsers run it: it knows only the wire.', []),
    onlyReaches('lib/dashboard', 'Browsers run it: it knows only the wire.', []),
    onlyReaches('lib/cli', 'Brands run it: it knows only the wire, through the client.', ['lib/client']),
    {
      name: 'functions-are-called-not-imported',
      comment: 'Only what deploys, serves or tests a function imports it.',
      severity: 'error',
      from: { path: '^(bin|lib)/', pathNot: '^lib/local/' },
      to: { path: '^functions/' },
    },
    {
      name: 'nothing-deployed-knows-the-local-run',
      severity: 'error',
      from: { pathNot: '^(lib/local|bin|test)/' },
      to: { path: '^lib/local/' },
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
      from: { path: '^(functions|lib)/', pathNot: '^lib/http/' },
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
      from: { path: '^lib/cli/' },
      to: packagesBut('@clack/prompts', 'open'),
    },
    {
      name: 'the-dashboard-uses-chosen-packages',
      severity: 'error',
      from: { path: '^lib/dashboard/' },
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
      from: { path: '^(functions|lib)/', pathNot: '^lib/stripe/' },
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
          '^lib/client/recipes/',
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
      from: { pathNot: '^lib/client/recipes/' },
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

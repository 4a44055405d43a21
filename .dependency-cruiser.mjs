import { rooms, ruleFiles } from './rooms.ts';

/**
 * Import rules; ARCHITECTURE.md draws them. The rule of a folder lists all project paths that the folder may import, so
 * a new folder may import nothing until it has a rule.
 *
 * @param {string} folder
 * @param {string} comment why the line is drawn there
 * @param {string[]} mayReach paths of the project, as regular expressions
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
const onlyReaches = (folder, comment, mayReach) => ({
  name: `${folder.match(/[a-z]+/g)?.join('-')}-reaches-only-its-own`,
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

/** Pure rules: see `ruleFiles`. */
const RULES = `(${ruleFiles().join('|')})`;
/** The configuration, which the stack sets and the service reads. */
const CONFIG = 'lib/service/ground/config';
/** The table and its items. */
const TABLE = '(lib/service/ground/table|lib/service/.+-items[.]ts)';
/** The calls to other services, which `Deps` gathers. */
const EFFECTS = 'lib/service/[^/]+/effects';
/** The formats of the processor Stripe. */
const STRIPE = 'lib/service/conversions/stripe';
const HTTP = 'lib/service/http';
/** The index of routes and functions. */
const INDEX = 'infra/[^/]+[.]ts';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rooms.map((room, at) =>
      onlyReaches(`lib/service/${room}`, 'A room uses those below it; HTTP alone knows the wire.', [
        ...rooms.slice(0, at).map((lower) => `lib/service/${lower}`),
        ...(room === 'http' ? ['lib/wire'] : []),
      ]),
    ),
    onlyReaches('lib/wire', 'What is said over HTTP, in the words and bounds of the rules.', [RULES]),
    onlyReaches(CONFIG, 'What the stack sets and the service reads.', [RULES]),
    onlyReaches(TABLE, 'The table and its items turn what the rules know into items and back.', [RULES, CONFIG]),
    onlyReaches(EFFECTS, 'The effects of the service know nothing of who uses them.', [RULES, CONFIG, TABLE]),
    onlyReaches(STRIPE, "The processor's words are turned into ours here.", [RULES, CONFIG, EFFECTS]),
    {
      name: 'http-calls-no-action',
      comment: 'It may name what an action takes and gives; which one runs, the function declares.',
      severity: 'error',
      from: { path: `^${HTTP}/` },
      to: {
        path: '^lib/service/',
        pathNot: `^(${[RULES, CONFIG, TABLE, EFFECTS, STRIPE, HTTP].join('|')})(/|$)`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'functions-bundle-requests-and-errors-alone',
      comment: 'How requests are checked and refusals spelled. Schemas of replies serve the document and the tests.',
      severity: 'error',
      from: { path: '^(functions|lib/service)/' },
      to: { path: '^lib/wire/', pathNot: '^lib/wire/(errors/|.+-request[.]ts$)', dependencyTypesNot: ['type-only'] },
    },
    onlyReaches('functions', 'A function is a declaration over the service.', ['lib/wire', 'lib/service']),
    {
      name: 'functions-leave-the-table-to-actions',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: `^(${TABLE}|${CONFIG})(/|$)` },
    },
    onlyReaches('lib/apps/client', 'Brands run it: it knows only the wire, and which names are misspelt.', [
      'lib/wire',
      'lib/service/ground/values',
    ]),
    onlyReaches('lib/apps/tracker', 'Browsers run it: it knows only the wire.', ['lib/wire']),
    onlyReaches('lib/apps/web', 'What pages share: it knows only the wire.', ['lib/wire']),
    onlyReaches('lib/apps/dashboard', 'Browsers run it: it knows only the wire.', ['lib/wire', 'lib/apps/web']),
    onlyReaches('lib/apps/portal', 'Browsers run it: it knows only the wire.', ['lib/wire', 'lib/apps/web']),
    onlyReaches('lib/apps/cli', 'Brands run it: it knows only the wire, through the client.', [
      'lib/wire',
      'lib/apps/client',
    ]),
    {
      name: 'apps-know-the-wire-by-type',
      comment: 'What others run carries no schema.',
      severity: 'error',
      from: { path: '^lib/apps/' },
      to: { path: '^lib/wire/', dependencyTypesNot: ['type-only'] },
    },
    onlyReaches(INDEX, 'What is deployed, as a list.', [CONFIG]),
    onlyReaches('infra/build', 'It turns the sources into what is deployed and published.', [
      INDEX,
      'lib/wire',
      'lib/apps/dashboard/static',
      'lib/apps/portal/static',
      'lib/apps/web/static',
    ]),
    onlyReaches('infra/aws', 'The stack knows the routes, the table and the configuration, and no behaviour.', [
      INDEX,
      'infra/build',
      RULES,
      'lib/wire',
      CONFIG,
      'lib/apps/dashboard/static',
      'lib/apps/portal/static',
      'lib/apps/web/static',
    ]),
    onlyReaches('infra/local', 'The local run serves the same functions on this machine.', [
      INDEX,
      'infra/build',
      'functions',
      'lib/wire',
      'lib/service',
      'lib/apps/web/static',
    ]),
    onlyReaches('infra/emulator', 'It deploys what is synthesized, and imports none of it.', ['infra/local/process']),
    {
      name: 'functions-are-called-not-imported',
      comment: 'Only what deploys, serves or tests a function imports it.',
      severity: 'error',
      from: { path: '^(bin|lib|infra)/', pathNot: '^infra/local/' },
      to: { path: '^functions/' },
    },
    {
      name: 'nothing-deployed-knows-infra',
      severity: 'error',
      from: { path: '^(functions|lib)/' },
      to: { path: '^infra/' },
    },
    {
      name: 'nothing-depends-on-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'rules-are-pure',
      comment:
        'node:crypto, isbot, tldts, ipaddr.js and lists of domains compute; everything else a rule could import has effects.',
      severity: 'error',
      from: { path: `^${RULES}$` },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'core'],
        pathNot:
          '^(node:)?crypto$|^node_modules/(isbot|tldts|ipaddr[.]js|email-providers|disposable-email-domains-js)/',
      },
    },
    {
      name: 'aws-is-known-to-few',
      comment: 'DynamoDB to the table and its items, other services to the effects.',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: `^(${TABLE}|${EFFECTS})(/|$)` },
      to: { path: 'node_modules/@aws-sdk/' },
    },
    {
      name: 'actions-have-effects-through-deps',
      comment: 'What an action may import of Node computes, or waits between two runs.',
      severity: 'error',
      from: { path: '^lib/service/', pathNot: `^(${[RULES, CONFIG, TABLE, EFFECTS, STRIPE, HTTP].join('|')})(/|$)` },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'core'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^(node:)?(crypto|util|timers/promises)$|^node_modules/zod/',
      },
    },
    {
      name: 'middy-is-known-to-http',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: `^${HTTP}/` },
      to: { path: 'node_modules/@middy/' },
    },
    {
      name: 'what-is-deployed-uses-chosen-packages',
      comment: 'All packages are development packages, for everything is bundled. These may come into the bundles.',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^lib/apps/' },
      to: packagesBut(
        '@aws-lambda-powertools/logger',
        '@aws-sdk/[^/]+',
        '@middy/core',
        'disposable-email-domains-js',
        'email-providers',
        'ipaddr[.]js',
        'isbot',
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
      name: 'pages-use-chosen-packages',
      severity: 'error',
      from: { path: '^lib/apps/(dashboard|portal|web)/' },
      to: packagesBut('preact', 'preact-iso', 'qr', 'uplot'),
    },
    {
      name: 'what-brands-run-needs-no-package',
      comment: "Nor anything of Node's: it runs wherever there is `fetch`.",
      severity: 'error',
      from: { path: '^lib/apps/(client|tracker)/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'core'] },
    },
    {
      name: 'stripe-is-known-to-its-folder',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: `^${STRIPE}/` },
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
          '^lib/apps/tracker/payment-links[.]ts$',
          '^infra/build/(lambda-credentials|no-endpoint-cache|no-event-streams)[.]ts$',
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

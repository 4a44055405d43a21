import { rooms, ruleFiles } from './rooms.ts';

/**
 * Import rules; ARCHITECTURE.md draws them. The rule for a folder lists all project paths that the folder may import,
 * so a new folder cannot import other folders until there is a rule for it.
 *
 * @param {string} folder
 * @param {string} comment the reason, which a failure prints
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

/** Matches imports of npm packages other than these. @param {string[]} names regular expressions */
const packagesBut = (...names) => ({
  path: 'node_modules/',
  pathNot: `node_modules/(${names.join('|')})/`,
  dependencyTypesNot: ['type-only'],
});

/** The files of pure business rules, which `ruleFiles` finds. */
const RULES = `(${ruleFiles().join('|')})`;
/** The service's configuration: the CDK stack writes it, and the service reads it. */
const CONFIG = 'lib/service/ground/config';
/** The code of the DynamoDB table, and the files that define its items. */
const TABLE = '(lib/service/ground/table|lib/service/.+-items[.]ts)';
/** The clients of other services. `Deps` passes them to the actions. */
const EFFECTS = 'lib/service/[^/]+/effects';
/** The code that converts the data formats of the payment processor Stripe. */
const STRIPE = 'lib/service/conversions/stripe';
const HTTP = 'lib/service/http';
/**
 * Decides whether an unknown field name is a misspelling of a known one. The service and the client library both use
 * it.
 */
const CLOSE_NAMES = 'lib/service/ground/values/close-names[.]ts';
/** Describes commission terms in words, for pages and for mails. */
const OFFER_TEXT = 'lib/service/programs/terms/offer-text[.]ts';
/** The files directly in `infra`, which list the routes and the functions. */
const INDEX = 'infra/[^/]+[.]ts';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rooms.map((room, at) =>
      onlyReaches(
        `lib/service/${room}`,
        'A room imports itself and the rooms before it in rooms.ts. Only http imports the wire.',
        [...rooms.slice(0, at).map((lower) => `lib/service/${lower}`), ...(room === 'http' ? ['lib/wire'] : [])],
      ),
    ),
    onlyReaches('lib/wire', 'The HTTP interface takes words and bounds from rules, and nothing else.', [RULES]),
    onlyReaches(CONFIG, 'The stack and the service share the configuration, so it imports only rules.', [RULES]),
    onlyReaches(TABLE, 'The table and its items convert values of the rules to items and back.', [RULES, CONFIG]),
    onlyReaches(EFFECTS, 'Effects do not import the code that uses them.', [RULES, CONFIG, TABLE]),
    onlyReaches(STRIPE, "This folder converts Stripe's formats to those of the service.", [RULES, CONFIG, EFFECTS]),
    {
      name: 'http-calls-no-action',
      comment: 'It may import the types of an action. Only the declaration of a function chooses the action that runs.',
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
      comment:
        'A bundle contains the schemas of requests and errors. Only the document and the tests need the schemas of replies.',
      severity: 'error',
      from: { path: '^(functions|lib/service)/' },
      to: { path: '^lib/wire/', pathNot: '^lib/wire/(errors/|.+-request[.]ts$)', dependencyTypesNot: ['type-only'] },
    },
    onlyReaches('functions', 'A function declares which parts of the service it uses.', ['lib/wire', 'lib/service']),
    {
      name: 'functions-leave-the-table-to-actions',
      comment: 'Only actions read and write the table.',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: `^(${TABLE}|${CONFIG})(/|$)` },
    },
    onlyReaches('lib/apps/client', 'Brands run it. It imports types of the wire, and the check for misspelt names.', [
      'lib/wire',
      CLOSE_NAMES,
    ]),
    onlyReaches('lib/apps/tracker', 'Browsers run it. It imports only types of the wire.', ['lib/wire']),
    onlyReaches('lib/apps/web', 'Both applications use it. It imports types of the wire, and terms in words.', [
      'lib/wire',
      OFFER_TEXT,
    ]),
    onlyReaches('lib/apps/dashboard', 'It imports types of the wire, and the parts that both applications use.', [
      'lib/wire',
      'lib/apps/web',
    ]),
    onlyReaches('lib/apps/portal', 'It imports types of the wire, and the parts that both applications use.', [
      'lib/wire',
      'lib/apps/web',
    ]),
    onlyReaches(
      'lib/apps/cli',
      'Brands run it. It imports types of the wire, and calls the service through the client.',
      ['lib/wire', 'lib/apps/client'],
    ),
    {
      name: 'apps-know-the-wire-by-type',
      comment: 'Programs that others run contain no schemas.',
      severity: 'error',
      from: { path: '^lib/apps/' },
      to: { path: '^lib/wire/', dependencyTypesNot: ['type-only'] },
    },
    onlyReaches(INDEX, 'The list of what is deployed imports only the configuration.', [CONFIG]),
    onlyReaches('infra/build', 'It builds what is deployed and published from the sources.', [
      INDEX,
      'lib/wire',
      'lib/apps/dashboard/static',
      'lib/apps/portal/static',
      'lib/apps/web/static',
    ]),
    onlyReaches(
      'infra/aws',
      'The stack uses routes, rules and configuration, but none of the code that runs in functions.',
      [
        INDEX,
        'infra/build',
        RULES,
        'lib/wire',
        CONFIG,
        'lib/apps/dashboard/static',
        'lib/apps/portal/static',
        'lib/apps/web/static',
      ],
    ),
    onlyReaches('infra/local', 'The local run serves the same functions on this machine.', [
      INDEX,
      'infra/build',
      'functions',
      'lib/wire',
      'lib/service',
      'lib/apps/web/static',
    ]),
    onlyReaches('bin', 'A command starts one of these parts.', [
      'infra/aws',
      'infra/build',
      'infra/emulator',
      'infra/local',
      'lib/apps/cli',
      'lib/service/operations/operator',
    ]),
    onlyReaches('infra/emulator', 'It deploys the synthesized stacks and does not import them.', [
      'infra/local/process',
    ]),
    {
      name: 'functions-are-called-not-imported',
      comment: 'Only the local run and tests import a function.',
      severity: 'error',
      from: { path: '^(bin|lib|infra)/', pathNot: '^infra/local/' },
      to: { path: '^functions/' },
    },
    {
      name: 'nothing-deployed-knows-infra',
      comment: 'Deployed code does not depend on how it is deployed.',
      severity: 'error',
      from: { path: '^(functions|lib)/' },
      to: { path: '^infra/' },
    },
    {
      name: 'nothing-depends-on-tests',
      comment: 'Only tests import test code.',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'rules-are-pure',
      comment:
        'A rule may import node:crypto, culori, isbot, tldts, ipaddr.js and lists of domains, because they only compute. All other packages may have effects.',
      severity: 'error',
      from: { path: `^${RULES}$` },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'core'],
        pathNot:
          '^(node:)?crypto$|^node_modules/(culori|isbot|tldts|ipaddr[.]js|email-providers|disposable-email-domains-js)/',
      },
    },
    {
      name: 'aws-is-known-to-few',
      comment: 'Only the table and its items use DynamoDB, and only effects use other services of AWS.',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: `^(${TABLE}|${EFFECTS})(/|$)` },
      to: { path: 'node_modules/@aws-sdk/' },
    },
    {
      name: 'actions-have-effects-through-deps',
      comment: 'An action may import modules of Node that compute or wait. Everything else is a part of Deps.',
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
      comment: 'Only lib/service/http uses Middy.',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: `^${HTTP}/` },
      to: { path: 'node_modules/@middy/' },
    },
    {
      name: 'what-is-deployed-uses-chosen-packages',
      comment:
        'All packages are development packages, because deployments are bundles. Bundles may contain only these.',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^lib/apps/' },
      to: packagesBut(
        '@aws-lambda-powertools/logger',
        '@aws-sdk/[^/]+',
        '@middy/core',
        'culori',
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
      comment: 'The bundle of the command line may contain only these.',
      severity: 'error',
      from: { path: '^lib/apps/cli/' },
      to: packagesBut('@clack/prompts', 'open'),
    },
    {
      name: 'pages-use-chosen-packages',
      comment: 'The bundles of pages may contain only these.',
      severity: 'error',
      from: { path: '^lib/apps/(dashboard|portal|web)/' },
      to: packagesBut('@fontsource-variable/[^/]+', 'lucide', 'preact', 'preact-iso', 'qr'),
    },
    {
      name: 'what-brands-run-needs-no-package',
      comment:
        'The client and the tracker import no package and no module of Node, so that they run wherever there is `fetch`.',
      severity: 'error',
      from: { path: '^lib/apps/(client|tracker)/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'core'] },
    },
    {
      name: 'stripe-is-known-to-its-folder',
      comment: "Only this folder uses Stripe's package.",
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: `^${STRIPE}/` },
      to: { path: 'node_modules/stripe/' },
    },
    {
      name: 'no-cycle',
      comment: 'Modules do not import each other in a circle.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan',
      comment: 'A module that imports nothing and that nothing imports was probably left behind.',
      severity: 'error',
      from: {
        orphan: true,
        // Node, esbuild or tools find these files by name, so no other file imports them.
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
      comment:
        'Every import exists. Recipes are an exception: they import the package, as brands do, before it is built.',
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

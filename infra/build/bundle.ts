import { readFile, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { canary, consumers, deliverer, deployers, mailFeedback, schedules } from '#infra/routes.ts';

const projectFolder = join(import.meta.dirname, '..', '..');

/** Output folder of `npm run bundle`, which the stack reads. */
export const bundleFolder = join(projectFolder, 'dist', 'functions');

/**
 * Imports Node's built-in modules without the wrappers that Node adds for ES modules. A wrapper evaluates all lazy
 * getters of its module, and so loads code that is never used, such as undici for node:http. That would add a seventh
 * to the time of importing a function.
 */
const builtinsWithoutFacade: Plugin = {
  name: 'builtins-without-facade',
  setup(plugin) {
    const builtin = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`);
    plugin.onResolve({ filter: builtin }, ({ path }) => ({
      path: path.startsWith('node:') ? path : `node:${path}`,
      namespace: 'builtin',
    }));
    plugin.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }));
  },
};

/**
 * The SDK's clients import their whole package.json (2.4 kB) but use only its version, so only the version is bundled.
 */
const packageVersionOnly: Plugin = {
  name: 'package-version-only',
  setup(plugin) {
    plugin.onLoad({ filter: /@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify({ version: JSON.parse(await readFile(path, 'utf8')).version }),
      loader: 'json',
    }));
  },
};

/** Modules that packages import but that are never used here: the path of each, its replacement, and what that saves. */
const unused: readonly (readonly [path: RegExp, contents: string])[] = [
  // Handles Stripe's thin events, which the service does not receive. Saves 13 kB.
  [/stripe[\\/]esm[\\/]StripeEventNotificationHandler\.js$/, 'export class StripeEventNotificationHandler {}'],
  // Computes SHA-256 in JavaScript, which is only needed where Node cannot do so. Saves 3 kB.
  [/sha256[\\/]Sha256Js\.js$/, 'export class Sha256Js {}'],
  // The rate limiter of the retry mode `adaptive`, which no client here uses. Saves 3 kB.
  [/util-retry[\\/]DefaultRateLimiter\.js$/, 'export class DefaultRateLimiter {}'],
  // Signs event stream messages, which no service here uses. Saves 2 kB.
  [/signature-v4[\\/]dist-es[\\/]HeaderFormatter\.js$/, 'export class HeaderFormatter {}'],
  // Reports client features to AWS in the `user-agent` header. Saves 1 kB.
  [/middleware-user-agent[\\/]check-features\.js$/, 'export const checkFeatures = async () => {}'],
  // Reads the region of a virtual machine. On Lambda, AWS_REGION contains the region. Saves 1 kB.
  [/regionConfig[\\/]getInstanceMetadataRegion\.js$/, 'export const getInstanceMetadataRegion = async () => undefined'],
];

/** Registrations of errors that only calls for tables, backups, exports and imports return. Saves 5 kB. */
const unusedErrors =
  /^n0_registry\.registerError\((?:Backup|ContinuousBackups|Duplicate|Export|GlobalTable|Import|Index|InvalidExport|InvalidRestore|PointInTime|Policy|Replica|Table)\w+\$, \w+\);$/gm;

const withoutUnusedErrors: Plugin = {
  name: 'without-unused-errors',
  setup(plugin) {
    plugin.onLoad({ filter: /client-dynamodb[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(unusedErrors, ''),
    }));
  },
};

const withoutUnused: Plugin = {
  name: 'without-unused',
  setup(plugin) {
    for (const [filter, contents] of unused) plugin.onLoad({ filter }, () => ({ contents }));
  },
};

/** The file with lists of mail domains. Few requests need it, so it is not in the bundles but beside them. */
const listsFile = './mail-domains.mjs';
const listsSource = 'lib/service/ground/addresses/mail-domains.ts';

const listsBeside: Plugin = {
  name: 'lists-beside',
  setup(plugin) {
    plugin.onResolve({ filter: /^#lib\/service\/ground\/addresses\/mail-domains\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: listsFile, external: true } : undefined,
    );
  },
};

/** esbuild's options for code that runs on Lambda. Source maps are separate files that the code does not refer to. */
export const bundling = {
  absWorkingDir: projectFolder,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  outExtension: { '.js': '.mjs' },
  minify: true,
  legalComments: 'none',
  sourcemap: 'external',
  // The SDK's package.json names its ESM build only in the field `module`. The CommonJS build would be used otherwise;
  // it cannot be tree-shaken, and is twice as large.
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': './infra/build/lambda-credentials.ts',
    '@aws-sdk/endpoint-cache': './infra/build/no-endpoint-cache.ts',
    '@smithy/core/event-streams': './infra/build/no-event-streams.ts',
  },
  plugins: [builtinsWithoutFacade, packageVersionOnly, withoutUnused, withoutUnusedErrors, listsBeside],
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Names of all functions that run on Lambda: their paths below `functions/`. */
export const bundledFunctions: readonly string[] = [
  ...deployedFunctions.map(({ name }) => name),
  ...[...consumers, ...schedules, canary, deliverer, mailFeedback, ...deployers].map((each) => each.function),
];

/**
 * Deletes `folder` and writes a bundle `<function>/index.mjs` for each function. A bundle is the same on every run,
 * byte for byte, whichever other functions are bundled.
 */
export async function bundle(folder = bundleFolder, names: readonly string[] = bundledFunctions): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    ...bundling,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir: folder,
    metafile: true,
  });
  const loading = Object.values(metafile.outputs).filter(({ imports }) =>
    imports.some(({ path }) => path === listsFile),
  );
  await build({
    ...bundling,
    entryPoints: loading.map(({ entryPoint }) => ({
      in: listsSource,
      out: join(entryPoint!.slice('functions/'.length, -'.ts'.length), 'mail-domains'),
    })),
    outdir: folder,
    sourcemap: false,
  });
}

if (import.meta.main) await bundle();

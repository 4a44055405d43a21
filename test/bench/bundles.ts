import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundle, bundling } from '#infra/build/bundle.ts';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { createTable } from '#infra/local/database/create-table.ts';
import { startEngine } from '#infra/local/database/engine.ts';
import { interleaved, ratios, spreadOf } from '#test/bench/support/measure.ts';
import { report, type Rows } from '#test/bench/support/report.ts';

/**
 * Measures the size of all bundles and, for those that record events, the cold start, compared with a function that has
 * only the AWS SDK. Each measurement is a new process. The functions take turns in each round, so that other load on
 * the machine affects all of them equally.
 */
const ROUNDS = 20;
const TABLE_NAME = 'service-bench';
const FLOOR = 'empty';
const BARE = 'bare client';

/** For each function, a request that is refused after the first reads. */
const bodies: Readonly<Record<string, object>> = {
  'track/click': { affiliate_url: 'https://acme.test/?aff=nobody' },
  'track/lead': { click_id: 'clk_none', email: 'nobody@acme.test' },
  'track/sale': { transaction_id: 'none', customer_key: 'nobody', amount_cents: 100 },
  'track/refund': { transaction_id: 'none', refund_amount_cents: 100 },
};

/** The event that API Gateway sends to a function. In the event for a baseline, the body is an empty object. */
const eventFor = (name: string) => ({
  version: '2.0',
  rawPath: `/api/v1/${name}`,
  headers: { authorization: `Bearer aff_1_${'0'.repeat(32)}`, 'content-type': 'application/json' },
  requestContext: { http: { method: 'POST', sourceIp: '192.0.2.1' }, timeEpoch: Date.now() },
  body: JSON.stringify(bodies[name] ?? {}),
  isBase64Encoded: false,
});

/** The baselines with which functions are compared. */
const yardsticks = [
  { name: FLOOR, source: 'empty', options: bundling },
  { name: BARE, source: 'bare-client', options: bundling },
  { name: `${BARE}, four calls`, source: 'bare-calls', options: bundling },
  {
    name: `${BARE}, plain esbuild`,
    source: 'bare-client',
    options: { ...bundling, alias: {}, external: [], plugins: [] },
  },
];

async function bundleEverything(folder: string): Promise<void> {
  await bundle(folder);
  for (const { name, source, options } of yardsticks) {
    await build({
      ...options,
      entryPoints: [{ in: `test/bench/yardsticks/${source}.ts`, out: `${name}/index` }],
      outdir: folder,
    });
  }
}

const run = promisify(execFile);

async function firstRequestMilliseconds(bundlePath: string, name: string, endpoint: string): Promise<number> {
  const script = join(import.meta.dirname, 'first-request.ts');
  const { stdout } = await run(execPath, [script, bundlePath, JSON.stringify(eventFor(name))], {
    env: {
      ...env,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
      DYNAMODB_ENDPOINT: endpoint,
      TABLE_NAME,
      BASE_URL: 'https://bench.test',
      DASHBOARD_URL: 'https://bench.test',
      DOCS_URL: 'https://bench.test/docs/errors',
    },
  });
  return Number(stdout.split('\n').at(-1));
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const engine = await startEngine();
try {
  await createTable(documentClient({ dynamodbEndpoint: engine.endpoint, region: 'us-east-1' }), TABLE_NAME);
  // The functions sign their calls, as on AWS, unless the endpoint is 127.0.0.1; 0.0.0.0 reaches the same engine.
  const endpoint = engine.endpoint.replace('127.0.0.1', '0.0.0.0');

  await bundleEverything(folder);
  const fileOf = (name: string) => join(folder, name, 'index.mjs');
  const names = [...yardsticks.map(({ name }) => name), ...Object.keys(bodies)];
  const measured = await interleaved(
    ROUNDS,
    Object.fromEntries(names.map((name) => [name, () => firstRequestMilliseconds(fileOf(name), name, endpoint)])),
  );
  const rows: Record<string, Rows[string]> = {};
  for (const name of [...names, ...deployedFunctions.map((each) => each.name)]) {
    rows[name] ??= { bytes: (await stat(fileOf(name))).size };
  }
  for (const [name, milliseconds] of Object.entries(measured)) {
    rows[name] = {
      ...rows[name],
      'import and first request, ms': spreadOf(milliseconds),
      'times an empty function': ratios(milliseconds, measured[FLOOR]!),
      'times the bare SDK': ratios(milliseconds, measured[BARE]!),
    };
  }
  await report('bundles and cold starts', rows);
} finally {
  await engine.stop();
  await rm(folder, { recursive: true });
}

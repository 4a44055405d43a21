import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { bundle, bundling } from '#infra/build/bundle.ts';
import { consumers } from '#infra/routes.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { runInScope, type Scope } from '#test/live/scope.ts';
import { type Service, startService } from '#test/live/service.ts';
import { load, nextMinute } from '#test/bench/support/load.ts';
import { filledCopy } from '#test/bench/support/tables/filled-copy.ts';
import { interleaved, ratios, spreadOf } from '#test/bench/support/measure.ts';
import { cpuMeterOf } from '#test/bench/support/processes.ts';
import { recordBrands } from '#test/bench/support/record-operations.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { type Operation, operations, statusOf } from '#test/bench/support/operations.ts';
import { requestsTo } from '#test/bench/support/requests.ts';
import { type SeededTable, seedTable } from '#test/bench/support/tables/seeded-table.ts';

// The throughput of `npm start` on this machine, compared with a server whose tracking functions only send the same
// calls. Each has a separate engine and they alternate; the load generator shares the machine.

const ROUNDS = 5;
/** Number of requests of a round, by its connections. */
const COUNTS = { 1: 200, 8: 800, 32: 800 } as const;
const customers = 1_000;
const visitors = 20_000;

async function measure(scope: Scope): Promise<void> {
  const recordedCalls = join(scope.folder, 'calls.json');
  const seeded = await seedTable(join(scope.folder, 'seed.db'), async (_, brands) => {
    await writeFile(recordedCalls, JSON.stringify(await recordBrands(brands)));
  });
  const bareFunctions = join(scope.folder, 'functions');
  await bundleBare(bareFunctions);
  const ours = await opened(scope, seeded, 'ours');
  const bare = await opened(scope, seeded, 'bare', { FUNCTIONS: bareFunctions, RECORDED_CALLS: recordedCalls });

  const rows: Record<string, Rows[string]> = {};
  for (const operation of operations) {
    for (const [connections, count] of Object.entries(COUNTS)) {
      const round = { operation, count, connections: Number(connections) };
      const measured = await interleaved(ROUNDS, { ours: () => ours(round), bare: () => bare(round) });
      const each = (who: 'ours' | 'bare', what: keyof Measured) => measured[who].map((found) => found[what]);
      const plural = round.connections === 1 ? 'connection' : 'connections';
      rows[`${operation}, ${connections} ${plural}`] = {
        'per second': spreadOf(each('ours', 'perSecond')),
        'bare, per second': spreadOf(each('bare', 'perSecond')),
        'times bare': ratios(each('ours', 'perSecond'), each('bare', 'perSecond')),
        'latency, ms': spreadOf(each('ours', 'latency')),
        'CPU of server, ms': spreadOf(each('ours', 'serverMs')),
        'of bare server': spreadOf(each('bare', 'serverMs')),
        'of engine': spreadOf(each('ours', 'engineMs')),
      };
    }
  }
  await report('throughput of the local service', rows);
}

interface Round {
  readonly operation: Operation;
  readonly count: number;
  readonly connections: number;
}

interface Measured {
  readonly perSecond: number;
  readonly latency: number;
  /** CPU time per request. */
  readonly serverMs: number;
  readonly engineMs: number;
}

/** Starts a service on a separate table. @returns measures one round */
async function opened(scope: Scope, seeded: SeededTable, name: string, variables: Record<string, string> = {}) {
  const dataDir = join(scope.folder, name);
  await mkdir(dataDir);
  await filledCopy(seeded, join(dataDir, 'engine.db'), { customers, visitors });
  const service = await startService(scope, {
    variables: { DATA_DIR: dataDir, TABLE_NAME: seeded.tableName, ...variables },
  });
  return measuring(service, await cpuMeterOf(service), requestsTo(seeded, customers));
}

function measuring(
  { call, table }: Service,
  meter: Awaited<ReturnType<typeof cpuMeterOf>>,
  requests: ReturnType<typeof requestsTo>,
) {
  return async ({ operation, count, connections }: Round): Promise<Measured> => {
    await nextMinute(call);
    const before = await meter();
    const done = await load(call, { count, connections, next: requests[operation], status: statusOf[operation] });
    await counted(table);
    const after = await meter();
    return {
      ...done,
      serverMs: (after.server - before.server) / count,
      engineMs: (after.engine - before.engine) / count,
    };
  };
}

/** Time between two looks, longer than the local run collects changes. */
const LOOK_MS = 700;

/** Waits for the counters, which follow the events a little later and are a part of an event's cost. */
async function counted({ client, tableName }: Service['table']): Promise<void> {
  const position = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: 'pk = :consumer',
    ExpressionAttributeValues: { ':consumer': keys.streamPosition(consumers[0]!.function, '').pk },
    ConsistentRead: true,
  });
  for (let before: unknown; ;) {
    const { Items } = await client.send(position);
    if (isDeepStrictEqual(Items, before)) return;
    before = Items;
    await pause(LOOK_MS);
  }
}

/** All functions, with those of the tracking API replaced. */
async function bundleBare(folder: string): Promise<void> {
  await bundle(folder);
  const replaced = ['track/click', 'track/lead', 'track/sale'];
  await build({
    ...bundling,
    // Unlike deployed functions, they use undici, like the local run: it is CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    entryPoints: replaced.map((name) => ({ in: 'test/bench/bare-function.ts', out: `${name}/index` })),
    outdir: folder,
  });
}

await runInScope('bench', measure, (what) => console.error(`✖ throughput: ${what}`));

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { argv, pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { bundle, bundling } from '#infra/build/bundle.ts';
import { startEngine } from '#infra/local/database/engine.ts';
import { consumers } from '#infra/routes.ts';
import { haveProbesPassed, sendProbes } from '#lib/service/ground/counters/probes-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { hold } from '#test/live/hold.ts';
import { runInScope, type Scope } from '#test/live/scope.ts';
import { type Service, startService } from '#test/live/service.ts';
import { engineAlone } from '#test/bench/support/engine-alone.ts';
import { formerVersion } from '#test/live/former-version.ts';
import { type Load, load, nextMinute, timed } from '#test/bench/support/load.ts';
import { filledCopy } from '#test/bench/support/tables/filled-copy.ts';
import { interleaved, ratios, spreadOf } from '#test/bench/support/measure.ts';
import { cpuMeterOf } from '#test/bench/support/processes.ts';
import { recordBrands } from '#test/bench/support/record-operations.ts';
import type { Body } from '#test/bench/support/recorded.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { type Operation, operations, statusOf } from '#test/bench/support/operations.ts';
import { requestsTo } from '#test/bench/support/requests.ts';
import type { RecordedBrands } from '#test/bench/support/tables/bare-brands.ts';
import { type SeededTable, seedTable } from '#test/bench/support/tables/seeded-table.ts';

// Measures the throughput of `npm start` on this machine. It is compared with a run without the stream’s consumers,
// with the engine alone, and with a server whose tracking functions only send the same table calls. With `--against
// <commit>[,<commit>…]` it is instead compared with former versions, for sales only. Each has a separate engine, and
// they take turns. The load generator runs on the same machine.

const ROUNDS = 6;
/**
 * Number of requests in a round, by the number of connections. It is large enough for a p99, and for several batches of
 * the consumers, which pause for up to five seconds. What consumers do after the round is not part of the throughput.
 * At most 120 sales per minute may come from one program key.
 */
const COUNTS = { 1: 400, 8: 1_000, 32: 1_000 } as const;
const customers = 1_000;
const visitors = 20_000;

async function measure(scope: Scope): Promise<void> {
  const commits = argv.includes('--against') ? argv[argv.indexOf('--against') + 1]!.split(',') : [];
  const recordedCalls = join(scope.folder, 'calls.json');
  let brandsCalls: RecordedBrands = {};
  const seeded = await seedTable(join(scope.folder, 'seed.db'), async (_, brands) => {
    brandsCalls = await recordBrands(brands);
    await writeFile(recordedCalls, JSON.stringify(brandsCalls));
  });
  const contenders: Record<string, (round: Round) => Promise<Measured>> = {
    ours: await opened(scope, seeded, { name: 'ours' }),
    'without consumers': await opened(scope, seeded, { name: 'without-consumers', hasConsumers: false }),
    'engine alone': await engineOpened(scope, seeded, brandsCalls),
  };
  if (commits.length === 0) {
    const bareFunctions = join(scope.folder, 'functions');
    await bundleBare(bareFunctions);
    const variables = { FUNCTIONS: bareFunctions, RECORDED_CALLS: recordedCalls };
    contenders.bare = await opened(scope, seeded, { name: 'bare', variables });
  }
  for (const commit of commits) {
    const root = await formerVersion(scope, commit);
    contenders[commit] = await opened(scope, seeded, { name: commit, root });
  }

  const rows: Record<string, Rows[string]> = {};
  for (const operation of commits.length > 0 ? (['sale'] as const) : operations) {
    for (const [connections, count] of Object.entries(COUNTS)) {
      const round = { operation, count, connections: Number(connections) };
      const runs = Object.entries(contenders).map(([who, run]) => [who, () => run(round)] as const);
      const measured = await interleaved(ROUNDS, Object.fromEntries(runs));
      const plural = round.connections === 1 ? 'connection' : 'connections';
      for (const [who, found] of Object.entries(measured)) {
        rows[`${operation}, ${connections} ${plural}: ${who}`] = rowOf(found, measured.ours!);
      }
    }
  }
  await report(`throughput of the local service${commits.map((commit) => `, against ${commit}`).join('')}`, rows);
}

/** Formats what was measured, and how many times as much our version has. */
function rowOf(found: readonly Measured[], ours: readonly Measured[]): Rows[string] {
  const each = (what: (one: Measured) => number, measured = found) => measured.map(what);
  const oursTo = (what: (one: Measured) => number) => ratios(each(what, ours), each(what));
  const cpuMs = ({ serverMs, engineMs }: Measured) => serverMs + engineMs;
  return {
    'per second': spreadOf(each(({ perSecond }) => perSecond)),
    'latency, ms': spreadOf(each(({ latency }) => latency)),
    'p99, ms': spreadOf(each(({ p99 }) => p99)),
    'CPU of server, ms': spreadOf(each(({ serverMs }) => serverMs)),
    'of engine': spreadOf(each(({ engineMs }) => engineMs)),
    'table calls': spreadOf(each(({ tableCalls }) => tableCalls)),
    'ours: times per second': oursTo(({ perSecond }) => perSecond),
    'times p99': oursTo(({ p99 }) => p99),
    'times CPU': oursTo(cpuMs),
  };
}

interface Round {
  readonly operation: Operation;
  readonly count: number;
  readonly connections: number;
}

/** CPU time and table calls are per request. They include those of the stream's consumers. */
interface Measured extends Load {
  readonly serverMs: number;
  readonly engineMs: number;
  readonly tableCalls: number;
}

interface Contender {
  readonly name: string;
  /** Folder of a former version; undefined for this version. */
  readonly root?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** False for a run without the stream’s consumers. */
  readonly hasConsumers?: boolean;
}

/** Starts a service with a separate table. @returns a function that measures one round */
async function opened(scope: Scope, seeded: SeededTable, contender: Contender) {
  const { name, root, variables, hasConsumers = true } = contender;
  const dataDir = join(scope.folder, name);
  const TABLE_CALLS = join(scope.folder, `${name}-calls`);
  await Promise.all([dataDir, TABLE_CALLS].map((folder) => mkdir(folder)));
  await filledCopy(seeded, join(dataDir, 'engine.db'), { customers, visitors });
  const service = await startService(scope, {
    root,
    nodeOptions: ['count-table-calls', ...(hasConsumers ? [] : ['without-consumers'])].flatMap((loaded) => [
      '--import',
      resolve(`test/bench/support/versions/${loaded}.ts`),
    ]),
    variables: { DATA_DIR: dataDir, TABLE_NAME: seeded.tableName, TABLE_CALLS, ...variables },
  });
  const { call, table } = service;
  const requests = requestsTo(seeded, customers);
  const cpu = await cpuMeterOf(service);

  return async ({ operation, count, connections }: Round): Promise<Measured> => {
    await nextMinute(call);
    const [before, callsBefore] = [await cpu(), await callsIn(TABLE_CALLS)];
    const done = await load(call, { count, connections, next: requests[operation], status: statusOf[operation] });
    if (hasConsumers) await counted(table);
    const [after, calls] = [await cpu(), await callsIn(TABLE_CALLS)];
    return {
      ...done,
      serverMs: (after.server - before.server) / count,
      engineMs: (after.engine - before.engine) / count,
      tableCalls: (calls - callsBefore) / count,
    };
  };
}

/** Returns how many table calls all threads of a service have made so far. */
async function callsIn(folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((name) => !name.endsWith('.new'));
  const counts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return counts.reduce((sum, calls) => sum + Number(calls), 0);
}

/**
 * Starts a separate engine, to which prepared calls of one brand's requests are sent.
 * @returns a function that measures one round
 */
async function engineOpened(scope: Scope, seeded: SeededTable, recorded: RecordedBrands) {
  const file = join(scope.folder, 'alone.db');
  await filledCopy(seeded, file, { customers, visitors });
  const engine = await startEngine({ dbPath: file });
  scope.atEnd(engine.stop);
  const cpu = await cpuMeterOf({ pid });
  const requests = requestsTo(seeded, customers);
  const [ofBrand] = Object.values(recorded);

  return async ({ operation, count, connections }: Round): Promise<Measured> => {
    const calls = ofBrand![operation];
    const prepare = engineAlone(engine.endpoint, calls);
    const send = await prepare(Array.from({ length: count }, () => requests[operation]().body as Body));
    const before = await cpu();
    const done = await timed(count, connections, send);
    const engineMs = ((await cpu()).engine - before.engine) / count;
    return { ...done, serverMs: 0, engineMs, tableCalls: calls.waves.flat().length };
  };
}

/** Time between two checks. It is longer than former versions waited for further records before they counted. */
const LOOK_MS = 700;
const LONGEST_LOOKS = 100;

/** Waits until the stream's consumers have processed everything, because their work is part of what an event costs. */
async function counted(table: Service['table']): Promise<void> {
  await probePassed(table);
  for (let before: unknown; ;) {
    const positions = await Promise.all(consumers.map(({ function: name }) => positionsOf(table, name)));
    if (isDeepStrictEqual(positions, before)) return;
    before = positions;
    await pause(LOOK_MS);
  }
}

/**
 * Writes a probe record and waits until it is counted. The engine has one shard, so all earlier events are then
 * counted, too.
 */
async function probePassed({ client, tableName }: Service['table']): Promise<void> {
  const table = new Table(client, tableName, new Date());
  const run = randomUUID();
  await sendProbes(table, run, 1, new Date());
  for (let looks = 0; !(await haveProbesPassed(table, run, 1)); looks++) {
    hold(looks < LONGEST_LOOKS, 'The counters do not follow the events');
    await pause(LOOK_MS);
  }
}

async function positionsOf({ client, tableName }: Service['table'], consumer: string): Promise<unknown> {
  const position = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: 'pk = :consumer',
    ExpressionAttributeValues: { ':consumer': keys.streamPosition(consumer, '').pk },
    ConsistentRead: true,
  });
  return (await client.send(position)).Items;
}

/** Bundles all functions, and replaces those of the tracking API by baselines. */
async function bundleBare(folder: string): Promise<void> {
  await bundle(folder);
  const replaced = ['track/click', 'track/lead', 'track/sale'];
  await build({
    ...bundling,
    // These bundles contain undici, which deployed functions do not: the local run's client needs it, and it uses
    // `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    entryPoints: replaced.map((name) => ({ in: 'test/bench/yardsticks/bare-function.ts', out: `${name}/index` })),
    outdir: folder,
  });
}

await runInScope('bench', measure, (what) => console.error(`✖ throughput: ${what}`));

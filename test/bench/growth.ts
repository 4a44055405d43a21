import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, env, execPath } from 'node:process';
import { promisify } from 'node:util';
import { runInScope, type Scope } from '#test/live/scope.ts';
import type { Request } from '#test/live/caller.ts';
import { type Service, startService } from '#test/live/service.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { load, nextMinute } from '#test/bench/support/load.ts';
import { mapped } from '#test/bench/support/tables/mapped.ts';
import { filledCopy } from '#test/bench/support/tables/filled-copy.ts';
import { interleaved, ratios, spreadOf } from '#test/bench/support/measure.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { operations, statusOf } from '#test/bench/support/operations.ts';
import { requestsTo } from '#test/bench/support/requests.ts';
import { transactionIdOf } from '#test/bench/support/tables/names.ts';
import { type SeededTable, seedTable } from '#test/bench/support/tables/seeded-table.ts';
import type { Units } from '#test/bench/support/units.ts';

// Measures the latency and the capacity units of each request, with few and with many customers in the table. A
// customer has clicked, signed up and bought, which makes six items and five index rows. There are few real events to
// count; what it costs to read counters depends on the requested days and partners.

const [FEW, ...MORE] = argv.includes('--full') ? [1_000, 100_000, 1_000_000] : [1_000, 100_000];
const ROUNDS = 9;
/** Requests per round, over one connection. All rounds within a rate window stay below the limit of one program. */
const COUNT = 25;
const visitors = 1_000;

const run = promisify(execFile);

async function measure(scope: Scope): Promise<void> {
  let token = '';
  const seeded = await seedTable(join(scope.folder, 'seed.db'), async (world, [brand]) => {
    ({ token } = await ownerOfBrand(world, brand!));
  });
  const services: Record<string, Sized> = {};
  for (const customers of [FEW, ...MORE]) services[customers] = await opened(scope, seeded, customers, token);
  const few = services[FEW]!;

  const rows: Record<string, Rows[string]> = {};
  for (const [name, { status, count = COUNT }] of Object.entries(few.asks)) {
    const latencies = await interleaved(
      ROUNDS,
      mapped(services, ({ service, asks }) => async () => {
        await nextMinute(service.call);
        const { next, rows: each = 1 } = asks[name]!;
        const { latency } = await load(service.call, { count, connections: 1, next, status });
        return latency / each;
      }),
    );
    const row: Record<string, Rows[string][string]> = {};
    row[`ms, ${FEW}`] = spreadOf(latencies[FEW]!);
    for (const customers of MORE) row[`times that, ${customers}`] = ratios(latencies[customers]!, latencies[FEW]!);
    const units = Object.values(services).map((sized) => sized.units[name]!);
    row['dependent round trips'] = eachOrOne(units.map(({ trips }) => trips));
    row['read units'] = eachOrOne(units.map(({ read }) => read));
    row['write units'] = eachOrOne(units.map(({ write }) => write));
    rows[name] = row;
  }
  await report('growth of the table', rows);
}

/** Formats the values as one number if all are equal, otherwise as a list. */
function eachOrOne(values: readonly number[]): string {
  return [...new Set(values)].join(', ');
}

/** A kind of request, and the status with which the service must reply. */
interface Ask {
  readonly next: () => Request;
  readonly status: number;
  /** Number of requests in a round. */
  readonly count?: number;
  /** Number of rows in the reply. If set, the time is given per row. */
  readonly rows?: number;
}

interface Sized {
  readonly service: Service;
  readonly asks: Readonly<Record<string, Ask>>;
  readonly units: Readonly<Record<string, Units>>;
}

async function opened(scope: Scope, seeded: SeededTable, customers: number, token: string): Promise<Sized> {
  const dataDir = join(scope.folder, String(customers));
  await mkdir(dataDir);
  await filledCopy(seeded, join(dataDir, 'engine.db'), { customers, visitors });
  const service = await startService(scope, { variables: { DATA_DIR: dataDir, TABLE_NAME: seeded.tableName } });

  const requests = requestsTo(seeded, customers);
  const events = operations.map((name) => [name, { next: requests[name], status: statusOf[name] }] as const);
  const asks = { ...Object.fromEntries(events), ...reports(seeded, token, customers) };
  return {
    service,
    asks,
    units: await unitsOf(
      service,
      mapped(asks, ({ next }) => next()),
    ),
  };
}

const get = (path: string, key: string): Ask => ({ next: () => ({ method: 'GET', path, key }), status: 200 });

function reports({ brands }: SeededTable, token: string, customers: number): Record<string, Ask> {
  const [brand] = brands;
  const ofProgram = (path: string) => `/api/dashboard/v1/programs/${brand!.program.id}${path}`;
  const program = (path: string) => get(ofProgram(path), token);
  return {
    readiness: get('/api/v1/programs/me/readiness', brand!.key),
    status: get('/api/v1/cli/status', brand!.key),
    'events, 25 of them': program('/events'),
    'performance of 30 days': program('/performance'),
    partners: program('/partners'),
    links: program('/links'),
    commissions: program('/commissions'),
    'pending commissions': program('/commissions?status=pending'),
    customers: program('/customers'),
    'partners by revenue': program('/partners?sort=revenue'),
    'what is owed': program('/owed'),
    'preview of a payout': { next: () => ({ path: ofProgram('/payouts/preview'), key: token, body: {} }), status: 200 },
    payouts: program('/payouts'),
    'a row of an export': { ...program('/commissions.csv'), count: 1, rows: customers / brands.length },
    'search for a sale': program(`/search?q=${transactionIdOf(0)}`),
    'one sale explained': program(`/sales/${transactionIdOf(0)}`),
  };
}

async function unitsOf({ table }: Service, requests: Record<string, Request>): Promise<Record<string, Units>> {
  const script = join(import.meta.dirname, 'support', 'units.ts');
  const { stdout } = await run(execPath, [script, JSON.stringify(requests)], {
    env: {
      ...env,
      AWS_REGION: 'us-east-1',
      DYNAMODB_ENDPOINT: table.endpoint,
      TABLE_NAME: table.tableName,
      BASE_URL: 'https://bench.test',
      DASHBOARD_URL: 'https://bench.test',
      DOCS_URL: 'https://bench.test/docs/errors',
    },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

await runInScope('bench', measure, (what) => console.error(`✖ growth: ${what}`));

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { argv } from 'node:process';
import { runInScope, type Scope } from '#test/live/scope.ts';
import { startService } from '#test/live/service.ts';
import { filledCopy } from '#test/bench/support/tables/filled-copy.ts';
import { load, nextMinute } from '#test/bench/support/load.ts';
import { medianOf } from '#test/bench/support/measure.ts';
import { statusOf } from '#test/bench/support/operations.ts';
import { cpuMeterOf } from '#test/bench/support/processes.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { requestsTo } from '#test/bench/support/requests.ts';
import { seedTable } from '#test/bench/support/tables/seeded-table.ts';

// Measures whether the local service, after a long load, handles as many sales per second as at the start, and with the
// same CPU time.

const MINUTES = argv.includes('--full') ? 60 : 2;
const INTERVALS = 10;
const CONNECTIONS = 8;
/** Number of sales after which the time is checked again. */
const COUNT = 500;
const customers = 1_000;

async function measure(scope: Scope): Promise<void> {
  const seeded = await seedTable(join(scope.folder, 'seed.db'));
  const dataDir = join(scope.folder, 'data');
  await mkdir(dataDir);
  await filledCopy(seeded, join(dataDir, 'engine.db'), { customers, visitors: 1 });
  const service = await startService(scope, { variables: { DATA_DIR: dataDir, TABLE_NAME: seeded.tableName } });
  const meter = await cpuMeterOf(service);
  const { sale } = requestsTo(seeded, customers);

  /** Sends sales for this duration. @returns the rate and the CPU time */
  async function sellFor(ms: number): Promise<Rows[string]> {
    const latencies: number[] = [];
    let count = 0;
    const before = await meter();
    const startedAt = performance.now();
    while (performance.now() < startedAt + ms) {
      await nextMinute(service.call);
      const round = { count: COUNT, connections: CONNECTIONS, next: sale, status: statusOf.sale };
      latencies.push((await load(service.call, round)).latency);
      count += COUNT;
    }
    const took = performance.now() - startedAt;
    const after = await meter();
    return {
      'sales a second': count / (took / 1_000),
      'latency, ms': medianOf(latencies),
      'CPU of engine for a sale, ms': (after.engine - before.engine) / count,
      'CPU of server, ms': (after.server - before.server) / count,
    };
  }

  const rows: Record<string, Rows[string]> = {};
  for (let interval = 1; interval <= INTERVALS; interval++) {
    const until = (interval * MINUTES) / INTERVALS;
    rows[`until minute ${until}`] = await sellFor((MINUTES / INTERVALS) * 60_000);
  }
  await report(`${MINUTES} minutes of sales at ${CONNECTIONS} connections`, rows);
}

await runInScope('bench', measure, (what) => console.error(`✖ steady: ${what}`), 2 * MINUTES);

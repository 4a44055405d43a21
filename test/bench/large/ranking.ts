import { startEngine } from '#infra/local/database/engine.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { manyPartners } from '#test/support/programs/partners.ts';
import { openWorld } from '#test/support/programs/world.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { interleaved, spreadOf } from '#test/bench/support/measure.ts';
import { mapped } from '#test/bench/support/tables/mapped.ts';
import { report, type Rows } from '#test/bench/support/report.ts';

// How long a list of partners takes that is sorted by a figure, for programs of different sizes, in turns. The service and
// the embedded engine share the machine.

const SIZES = [100, 1_000, 10_000];
const ROUNDS = 7;
const queries = {
  'by clicks': 'sort=clicks',
  'with the period before': 'sort=clicks&from=2026-11-01&to=2026-11-20&compare=previous',
};

const engine = await startEngine();
process.env.DYNAMODB_ENDPOINT = engine.endpoint;
const world = await openWorld();
const rows: Record<string, Rows[string]> = {};
let minute = 0;

for (const [name, query] of Object.entries(queries)) {
  const owners = await Promise.all(
    SIZES.map(async (size) => {
      const own = await ownedBrand(world);
      await manyPartners(world, own.program.id, size);
      return [`${size} partners`, own] as const;
    }),
  );
  const units: Record<string, ReturnType<typeof unitsOf>> = {};
  const measured = await interleaved(
    ROUNDS,
    mapped(Object.fromEntries(owners), (own, size) => async () => {
      minute += 1;
      const at = new Date(Date.now() + minute * 60_000);
      const startedAt = performance.now();
      const calls = await sentCalls(async () => {
        const { status, body } = await own.owner.get(`${own.path}/partners?${query}`, { at });
        if (status !== 200) throw new Error(`${size}: ${status} ${JSON.stringify(body)}`);
      });
      units[size] = unitsOf(calls);
      return performance.now() - startedAt;
    }),
  );
  for (const [size, milliseconds] of Object.entries(measured)) {
    rows[`${size}, ${name}`] = { ms: spreadOf(milliseconds), 'read units': units[size]!.read };
  }
}
await report('partners sorted by a figure', rows);
await engine.stop();

import { argv } from 'node:process';
import { startEngine } from '#infra/local/database/engine.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { openWorld } from '#test/support/programs/world.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { report, type Rows } from '#test/bench/support/report.ts';

// Measures what recording a payout costs per commission, and how long it takes on the embedded engine.

const SIZES = argv.includes('--full') ? [1_000, 10_000, 100_000] : [1_000, 10_000];
const COMMISSIONS_OF_A_PARTNER = 10;

const partnerOf = (n: number): number => 1 + Math.floor(n / COMMISSIONS_OF_A_PARTNER);

const engine = await startEngine();
process.env.DYNAMODB_ENDPOINT = engine.endpoint;
const world = await openWorld();

/** Creates a program and records a payout of it, with as many requests as that needs. */
async function recorded(size: number): Promise<Rows[string]> {
  const own = await ownedBrand(world);
  const nameOf = (n: number) => `bench ${own.program.id} ${n}`;
  await manyCommissions(world, own.program.id, partnerOf, size, nameOf, { status: 'approved' });
  let requests = 0;
  const startedAt = performance.now();
  const calls = await sentCalls(async () => {
    for (let path = 'payouts', isMade = false; !isMade; requests += 1) {
      const { status, body } = await own.owner.post(`${own.path}/${path}`, {});
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      isMade = body.data.status === 'made';
      path = `payouts/${body.data.id}/continue`;
    }
  });
  const ms = performance.now() - startedAt;
  const { read, write } = unitsOf(calls);
  return {
    'ms a commission': ms / size,
    'read units a commission': read / size,
    'write units a commission': write / size,
    requests,
  };
}

// This payout is not measured. It loads code that all later ones use.
await recorded(100);
const rows: Record<string, Rows[string]> = {};
for (const size of SIZES) rows[`${size} commissions`] = await recorded(size);
await report(`recording payouts, ${COMMISSIONS_OF_A_PARTNER} commissions a partner`, rows);
await engine.stop();

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { argv, env, execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { startEngine } from '#infra/local/database/engine.ts';
import { operatorDeps } from '#lib/service/ground/effects/deps.ts';
import { checkRestore } from '#lib/service/operations/restore/check-restore.ts';
import { runInScope, type Scope } from '#test/live/scope.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dependentTrips, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { usdPerMillion } from '#test/bench/support/prices.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { filledCopy } from '#test/bench/support/tables/filled-copy.ts';
import { seedTable } from '#test/bench/support/tables/seeded-table.ts';

// How long `restore check` takes over a table with many commissions, a tenth of them in a payout, and its memory.

const SIZES = argv.includes('--full') ? [2_000, 20_000, 200_000] : [2_000, 20_000];
const COMMISSIONS_OF_A_PARTNER = 20;
/** The command gets this heap, to show that it does not keep the commissions that it has seen. */
const HEAP_MEGABYTES = 256;

async function measured(scope: Scope, size: number): Promise<Rows[string]> {
  const paid = size / 10;
  const seeded = await seedTable(join(scope.folder, `seed-${size}.db`), async (world) => {
    const own = await ownedBrand(world);
    await manyCommissions(world, own.program.id, partnerOf, paid, (n) => `paid ${n}`, { status: 'approved' });
    await payAll(own);
  });
  const file = join(scope.folder, `${size}.db`);
  await filledCopy(seeded, file, { customers: size - paid, visitors: 1 });
  const engine = await startEngine({ dbPath: file });
  scope.atEnd(engine.stop);
  const environment = { TABLE_NAME: seeded.tableName, DYNAMODB_ENDPOINT: engine.endpoint, AWS_REGION: 'us-east-1' };

  const command = await operated(environment, seeded.at);
  const deps = await operatorDeps(environment, Date.now);
  const calls = await sentCalls(() => checkRestore(deps, { restoredTo: new Date(seeded.at) }));
  const { read, write } = unitsOf(calls);
  await engine.stop();
  return {
    ...command,
    calls: calls.length,
    'read units': read,
    USD: usdPerMillion({ read, write }) / 1e6,
    'round trips, one after the other': dependentTrips(calls),
  };
}

const partnerOf = (n: number): number => 1 + Math.floor(n / COMMISSIONS_OF_A_PARTNER);

async function payAll({ owner, path }: OwnedBrand): Promise<void> {
  for (let step = 'payouts', isMade = false; !isMade;) {
    const { status, body } = await owner.post(`${path}/${step}`, {});
    if (status !== 200) throw new Error(`${step}: ${status} ${JSON.stringify(body)}`);
    isMade = body.data.status === 'made';
    step = `payouts/${body.data.id}/continue`;
  }
}

/** Runs the operator's command in a separate process. */
async function operated(environment: Readonly<Record<string, string>>, restoredTo: string) {
  // The usage that Linux reports of a process begins with that of its parent, so the process reads its own.
  const memory = `import { readFileSync } from 'node:fs';
    process.on('exit', () => process.stderr.write(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]));`;
  const startedAt = performance.now();
  const child = spawn(
    execPath,
    [
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      '--import',
      `data:text/javascript,${encodeURIComponent(memory)}`,
      resolve('bin/operator.ts'),
    ].concat('restore check --former-table-lost --json --to'.split(' '), restoredTo),
    { env: { ...env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { checked, repaired, unrepaired } = JSON.parse(out) as Record<string, number | string[]>;
  if ([repaired, unrepaired].some((lines) => !Array.isArray(lines) || lines.length > 0))
    throw new Error(out.slice(0, 500));
  return { seconds, 'megabytes of memory': Number(/\d+$/.exec(error.trim())?.[0]) / 1_024, checked: Number(checked) };
}

await runInScope(
  'bench',
  async (scope) => {
    const rows: Record<string, Rows[string]> = {};
    for (const size of SIZES) rows[`${size} commissions`] = await measured(scope, size);
    await report('restore check', rows);
  },
  (what) => console.error(`✖ restore: ${what}`),
);

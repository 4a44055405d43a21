import { beforeEach, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { countsByDay } from '#lib/service/ground/counters/counter-readings-items.ts';
import { runOperator } from '#lib/service/operations/operator/run-operator.ts';
import { failedFirstSale } from '#test/support/payments/failed-sales.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { operated, refusedWith } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => world.brand(), beforeEach);

const rebuild = () => operated(world, `metrics rebuild --program ${brand.program.id}`);
const amounts = async () => {
  await counted(world);
  const day = NOW.toISOString().slice(0, 10);
  const counter = { of: 'program', programId: brand.program.id } as const;
  return (await countsByDay(world.deps().table, counter, day, day)).get(day)?.amounts.USD;
};

it('the command `metrics rebuild` prints the number of days with events', async () => {
  expect(await rebuild()).toEqual({ program_id: brand.program.id, days: 0, corrected: 0, left: 0 });
  await soldTo(brand, 'counted', { transaction_id: 'counted' });
  await counted(world);
  expect(await rebuild()).toEqual({ program_id: brand.program.id, days: 1, corrected: 0, left: 0 });
});

it('the command `metrics rebuild` fails for an unknown program', async () => {
  expect(await refusedWith(world, 'metrics rebuild --program 999999')).toBe('Program not found');
});

it('the command `metrics rebuild` has nothing to correct after a commission was created late for a refunded sale', async () => {
  const { id } = await failedFirstSale(brand);
  await send(refund, { key: brand.key, body: { transaction_id: id, refund_amount_cents: 2450 } });
  await operated(world, ['sale', 'repair', '--transaction', id], NOW);
  const net = {
    revenueCents: 4900,
    refundedCents: 2450,
    commissionCents: 490,
    rejectedCents: 0,
    platformFeeCents: 86,
    paidOutCents: 0,
  };
  expect(await amounts()).toEqual(net);
  await rebuild();
  expect(await amounts()).toEqual(net);
});

it('the command `metrics rebuild-all` rebuilds every program', async () => {
  await soldTo(brand, 'one of all', { transaction_id: 'one-of-all' });
  await counted(world);
  const { rebuilt, ...others } = (await operated(world, 'metrics rebuild-all')) as {
    rebuilt: { program_id: number }[];
  };
  expect(others).toEqual({ failed: [], continued_after_program: null });
  expect(rebuilt).toContainEqual({ program_id: brand.program.id, days: 1, corrected: 0, left: 0 });
  expect(rebuilt.map(({ program_id }) => program_id)).toEqual(
    Array.from({ length: brand.program.id }, (_, index) => index + 1),
  );
});

it('the command `metrics rebuild` prints its progress separately from its result', async () => {
  const { id } = brand.program;
  const progress: string[] = [];
  const out: string[] = [];
  await runOperator(['metrics', 'rebuild', '--program', String(id)], {
    environment: { TABLE_NAME: world.tableName, DYNAMODB_ENDPOINT: process.env.DYNAMODB_ENDPOINT },
    out: (line) => void out.push(line),
    error: (line) => void out.push(line),
    progress: (line) => void progress.push(line),
    realNow: () => NOW.getTime(),
  });
  expect(progress).toEqual([
    `Program ${id}: clicks up to 2026-11-20 compared, 0 numbers corrected so far`,
    `Program ${id}: conversions compared, 0 numbers corrected so far`,
  ]);
  expect(out).toEqual([`Program ${id}: 0 numbers corrected. Days with events: 0.`]);
});

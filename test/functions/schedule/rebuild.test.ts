import { beforeEach, expect, it } from 'vitest';
import { handler } from '#functions/schedule/rebuild.ts';
import { schedules } from '#infra/routes.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { rebuildDue } from '#lib/service/reports/counting/rebuild-due.ts';
import { storeDueRebuild } from '#lib/service/reports/counting/rebuilds-items.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { opened } from '#test/support/cases/opened.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { actionsOf, sentCalls } from '#test/support/servers/sent-calls.ts';
import { counted, counterItems, probesPassed } from '#test/support/table/stream.ts';

const world = openedWorld();
const brand = opened(() => world.brand(), beforeEach);

const DAY = '2026-11-20';
const NEXT_MORNING = new Date('2026-11-21T00:10:00.000Z');
const due = (tries = 0) => storeDueRebuild(world.deps().table, { day: DAY, programId: brand.program.id, tries });
const dueItems = () => world.items(keys.dueRebuild('', 0).pk);
const program = () => keys.counter({ of: 'program', programId: brand.program.id });

let lines: unknown[][] = [];
const write = (...parts: unknown[]) => void lines.push(parts);
const log: Log = { info: write, warn: write, error: write };
beforeEach(async () => {
  lines = [];
  for (const item of await dueItems()) {
    await world.deps().table.transact([{ name: 'due', key: item as never, remove: true }]);
  }
});
const run = (wait: () => Promise<unknown>, more: object = {}) =>
  rebuildDue({ ...world.deps(NEXT_MORNING), log, ...more }, { probes: 3, wait });
const passing = () => probesPassed(world);

it('the scheduled function rebuilds a day’s counters only after the day is over', async () => {
  await due();
  await handler({ time: `${DAY}T23:59:00.000Z` });
  expect(await dueItems()).toHaveLength(1);
  await handler({ time: NEXT_MORNING.toISOString() });
  expect(await dueItems()).toEqual([]);
});

it('a scheduled rebuild corrects the day’s counters, logs one line, and needs only the function’s table permissions', async () => {
  await soldTo(brand, 'buyer', { transaction_id: 'counted' });
  await counted(world);
  const right = await counterItems(world);
  await world.deps().table.update(program(), { add: { [`clicks@${DAY}`]: 3, clicks: 3, sales: 1 } });
  await due();
  const calls = await sentCalls(() => run(passing));
  expect(await counterItems(world)).toEqual(right);
  expect(lines).toEqual([['counters_rebuilt', { program_id: brand.program.id, corrected: 2, unsettled: 0 }]]);
  expect(await dueItems()).toEqual([]);
  // The test itself describes the table to read its stream.
  const actions = actionsOf(calls.filter(({ name }) => name !== 'DescribeTableCommand'));
  expect(actions).toEqual(schedules[1].tableActions.toSorted());
});

it('a rebuild is tried again if the counters lag behind, or if the function ends before the rebuild does', async () => {
  await world.deps().table.update(program(), { add: { sales: 1 } });
  await due();
  await run(async () => undefined);
  expect(lines).toMatchObject([['counters_not_rebuilt', { name: 'Error' }, { program_id: brand.program.id }]]);
  expect(await dueItems()).toMatchObject([{ tries: 1 }]);
  const ending = new AbortController();
  const end = async () => {
    ending.abort();
    throw new Error('The function ends');
  };
  await run(end, { ending: ending.signal });
  await run(passing, { ending: ending.signal });
  expect(lines).toHaveLength(1);
  expect(await dueItems()).toMatchObject([{ tries: 2 }]);
  await run(passing);
  expect(await dueItems()).toEqual([]);
});

it('the schedule gives up a rebuild after 24 runs that did not complete it, and at once if the program is unknown', async () => {
  await due(24);
  await storeDueRebuild(world.deps().table, { day: DAY, programId: 999_999, tries: 0 });
  await run(passing);
  const text = `24 runs did not complete it. Run \`metrics rebuild --program ${brand.program.id} --stage <stage>\``;
  expect(lines).toHaveLength(2);
  expect(lines).toEqual(
    expect.arrayContaining([
      ['counters_not_rebuilt', expect.objectContaining({ message: 'Program not found' }), { program_id: 999_999 }],
      ['counters_not_rebuilt', expect.objectContaining({ message: text }), { program_id: brand.program.id }],
    ]),
  );
  expect(await dueItems()).toEqual([]);
});

it('a scheduled rebuild of a day recounts only the clicks since that day, unless clicks of earlier days are not counted yet', async () => {
  const listed = async (clicksSince?: string) => {
    await storeDueRebuild(world.deps().table, { day: DAY, programId: brand.program.id, clicksSince, tries: 0 });
    const calls = await sentCalls(() => run(passing));
    const ranges = calls.map(({ input }) => Object(input.ExpressionAttributeValues));
    return new Set(
      ranges.filter(({ ':list': list }) => /#EVENTS#click/.test(list)).map(({ ':after': after }) => after),
    );
  };
  expect(await listed(DAY)).toEqual(new Set([DAY]));
  expect(await listed()).toEqual(new Set(['2026-10-24']));
});

import { beforeAll, beforeEach, expect, it } from 'vitest';
import { handler as deliverer } from '#functions/queue/deliver.ts';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { isOf } from '#infra/local/stream/stream-pump.ts';
import { counters, outbox } from '#infra/routes.ts';
import { deliverFacts } from '#test/support/outbox/facts.ts';
import { openWakeQueue } from '#test/support/outbox/webhook-receiver.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { deliver, streamRecords } from '#test/support/table/stream.ts';

const world = openedWorld();
let queue: Awaited<ReturnType<typeof openWakeQueue>>;
beforeAll(async () => {
  queue = await openWakeQueue();
});
beforeEach(() => queue.take());

const time = (minute: number) => `2026-11-20T15:${String(minute).padStart(2, '0')}:30.000Z`;
const wake = { endpointId: 0, programId: 0 };

it('the schedule sends a heartbeat in the middle of every fifth minute and overwrites one item in the table', async () => {
  for (let minute = 0; minute < 60; minute++) await schedule({ time: time(minute) });
  expect(queue.messages).toEqual(Array.from({ length: 12 }, () => ({ ...wake, delaySeconds: undefined })));
  expect(await allItems(world)).toContainEqual({ pk: 'HEARTBEAT', sk: 'HEARTBEAT', at: time(57) });
});

it('each heartbeat reaches both stream functions, which ignore it, and the webhook sender, which finds nothing to send', async () => {
  const before = (await streamRecords(world)).length;
  for (const minute of [2, 7]) await schedule({ time: time(minute) });
  const records = (await streamRecords(world))
    .slice(before)
    .filter(({ dynamodb }) => dynamodb?.Keys?.pk?.S === 'HEARTBEAT');
  expect(records).toHaveLength(2);
  for (const consumer of [counters, outbox]) {
    for (const record of records) expect(consumer.records.some((filter) => isOf(filter, record))).toBe(true);
  }
  const items = await allItems(world);
  const sent = await sentCalls(() => deliverFacts(records));
  expect(sent).toEqual([]);
  await deliver(records);
  await deliverer({ Records: [{ body: JSON.stringify(wake) }] });
  const position = { pk: 'SHARDS', sk: 'shardId-1', position: records.at(-1)!.dynamodb!.SequenceNumber };
  const left = await allItems(world);
  expect(left).toHaveLength(items.length + 1);
  expect(left).toEqual(expect.arrayContaining([...items, expect.objectContaining(position)]));
});

it('if the table refuses a heartbeat, the run fails, and the next run succeeds', async () => {
  const run = failing('write', refused('InternalServerError'), () => schedule({ time: time(2) }));
  await expect(run).rejects.toThrow('InternalServerError');
  await schedule({ time: time(7) });
  expect(queue.messages).toHaveLength(2);
});

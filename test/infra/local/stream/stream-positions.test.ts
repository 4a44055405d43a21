import { expect, it } from 'vitest';
import { tablePositions } from '#infra/local/stream/stream-positions.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { openWorld } from '#test/support/programs/world.ts';

const consumers = ['stream/counters', 'stream/outbox'];

it.each([
  ['nothing', [undefined, undefined], undefined],
  ['a position of one consumer only', ['7', undefined], undefined],
  ['the same position of both', ['7', '7'], '7'],
  ['different positions, as an earlier version left them', ['100', '99'], '99'],
  ['different positions in the other order', ['99', '100'], '99'],
])(
  'the local stream is read after the last record that both consumers have processed; stored before: %s',
  async (_, stored, expected) => {
    const world = await openWorld();
    const { table } = world.deps();
    for (const [index, sequenceNumber] of stored.entries()) {
      if (sequenceNumber) await table.put(keys.streamPosition(consumers[index]!, 'shard'), { sequenceNumber });
    }
    expect(await tablePositions(consumers, () => world.deps().table).find('shard')).toBe(expected);
  },
);

it('the position in the local stream is stored once for each consumer, as an earlier version expects', async () => {
  const world = await openWorld();
  const { find, keep } = tablePositions(consumers, () => world.deps().table);
  await keep('shard', '7');
  await keep('shard', '8');
  expect(await find('shard')).toBe('8');
  const stored = await Promise.all(
    consumers.map((consumer) => world.deps().table.get(keys.streamPosition(consumer, 'shard'))),
  );
  expect(stored).toEqual(
    consumers.map((consumer) => ({ ...keys.streamPosition(consumer, 'shard'), sequenceNumber: '8' })),
  );
});

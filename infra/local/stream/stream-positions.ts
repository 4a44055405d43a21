import type { Positions } from '#infra/local/stream/stream-pump.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/**
 * Positions of one consumer, kept in the table, so that a restart goes on where the run before ended.
 * @param table for one use each
 */
export function tablePositions(consumer: string, table: () => Table): Positions {
  const keyOf = (shardId: string) => keys.streamPosition(consumer, shardId);
  return {
    find: async (shardId) => (await table().get<{ sequenceNumber: string }>(keyOf(shardId)))?.sequenceNumber,
    keep: (shardId, sequenceNumber) => table().put(keyOf(shardId), { sequenceNumber }),
  };
}

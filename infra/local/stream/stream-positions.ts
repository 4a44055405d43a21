import type { Positions } from '#infra/local/stream/stream-pump.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/**
 * Positions of one consumer, stored in the table so that a restart continues where the previous run ended.
 * @param table returns a table for a single use
 */
export function tablePositions(consumer: string, table: () => Table): Positions {
  const keyOf = (shardId: string) => keys.streamPosition(consumer, shardId);
  return {
    find: async (shardId) => (await table().get<{ sequenceNumber: string }>(keyOf(shardId)))?.sequenceNumber,
    keep: (shardId, sequenceNumber) => table().put(keyOf(shardId), { sequenceNumber }),
  };
}

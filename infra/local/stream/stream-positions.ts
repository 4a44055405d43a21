import type { Positions } from '#infra/local/stream/stream-pump.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/**
 * Stores in the table up to where each consumer has read the stream, so that a restart continues there. In a table of
 * an earlier version, each consumer may have a different position. Reading then continues after the earliest one;
 * consumers accept records that they have processed before.
 * @param table returns a table for a single use
 */
export function tablePositions(consumers: readonly string[], table: () => Table): Positions {
  return {
    async find(shardId) {
      const stored = table();
      const found = await Promise.all(
        consumers.map((consumer) => stored.get<{ sequenceNumber: string }>(keys.streamPosition(consumer, shardId))),
      );
      return found.map((position) => position?.sequenceNumber).reduce(earlier);
    },
    async keep(shardId, sequenceNumber) {
      const stored = table();
      await Promise.all(
        consumers.map((consumer) => stored.put(keys.streamPosition(consumer, shardId), { sequenceNumber })),
      );
    },
  };
}

/** The earlier of two positions in the stream. Undefined is the position before the first record. */
function earlier(position: string | undefined, other: string | undefined): string | undefined {
  if (position === undefined || other === undefined) return undefined;
  return BigInt(position) < BigInt(other) ? position : other;
}

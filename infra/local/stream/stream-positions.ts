import type { Positions } from '#infra/local/stream/stream-pump.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/**
 * Stores each consumer's position in the table, so that a restart continues where the previous run ended. In earlier
 * versions each consumer read the stream separately, so positions in an older table may differ: reading then continues
 * after the earliest position, because consumers accept repeated records.
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

/** The earlier of two positions. Undefined is before every record. */
function earlier(position: string | undefined, other: string | undefined): string | undefined {
  if (position === undefined || other === undefined) return undefined;
  return BigInt(position) < BigInt(other) ? position : other;
}

import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** Offset of a local run's test clock from real time, in milliseconds; 0 if there is none. */
export async function readClockOffsetMs(table: Table): Promise<number> {
  const item = await table.get<{ offsetMs: number }>(keys.clock);
  return item?.offsetMs ?? 0;
}

/** Stores the offset of the test clock in the table, so that operator commands use the time of the service. */
export const writeClockOffsetMs = (table: Table, offsetMs: number): Promise<void> =>
  table.put(keys.clock, { offsetMs });

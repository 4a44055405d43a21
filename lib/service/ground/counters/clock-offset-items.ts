import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** How far the test clock of a local run is from the real time; 0 where there is none. */
export async function readClockOffsetMs(table: Table): Promise<number> {
  const item = await table.get<{ offsetMs: number }>(keys.clock);
  return item?.offsetMs ?? 0;
}

/** Stored in the table, so that operator commands beside the service see the same time. */
export const writeClockOffsetMs = (table: Table, offsetMs: number): Promise<void> =>
  table.put(keys.clock, { offsetMs });

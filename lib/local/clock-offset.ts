import type { Key } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';

const key: Key = { pk: 'CLOCK', sk: 'CLOCK' };

/** How far the test clock of a local run is from the real time; 0 where there is none. */
export async function readClockOffsetMs(table: Table): Promise<number> {
  const item = await table.get<{ offsetMs: number }>(key);
  return item?.offsetMs ?? 0;
}

/** Kept in the table, so that operator commands run beside the service see the same time. */
export const writeClockOffsetMs = (table: Table, offsetMs: number): Promise<void> => table.put(key, { offsetMs });

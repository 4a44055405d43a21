import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** The latest month for which the counters include all sales. */
export interface CountedMonth {
  /** The latest month that is known to be completely counted, `YYYY-MM`; undefined if there is none. */
  readonly month?: string;
  /** The probes that were sent for a later month. When all have passed, that month is completely counted. */
  readonly probes?: { readonly month: string; readonly run: string; readonly sentAt: string };
}

export const findCountedMonth = async (table: Table): Promise<CountedMonth> => {
  const { month, probes } = (await table.get<CountedMonth>(keys.countedMonth)) ?? {};
  return { month, probes };
};

/** Stores the state. If two runs race, the later one changes nothing; the next run continues from the stored state. */
export async function storeCountedMonth(table: Table, before: CountedMonth, after: CountedMonth): Promise<void> {
  try {
    const { month, probes } = after;
    await table.update(keys.countedMonth, { set: { month, probes } }, { equals: { ...before } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
